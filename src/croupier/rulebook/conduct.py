"""Reading how a game is conducted: notices, irregularities, authority, and the clauses it cites."""

import re
from collections.abc import Mapping

from croupier.rulebook.model import Authority, Cited, Irregularity, Notice
from croupier.rulebook.reader import Node, listed, short
from croupier.rulebook.required import words_of
from croupier.rulebook.sources import Sources
from croupier.rulebook.vocabulary import (
    ACTIONS,
    ASSIGNED,
    KINDS,
    NOTICE_FACTS,
    NOTICES,
    PLAYER,
    TOPICS,
)


def read_choice(node: Node, key: str, allowed: tuple[str, ...], sources: Sources) -> Cited:
    """A choice of the book with what it rests on."""
    entry = node.table(key)
    cited = Cited(value=entry.choice("value", allowed), source=sources.source(entry))
    entry.finish()
    return cited


def read_names(node: Node) -> Mapping[str, str]:
    """What the text calls each kind of bet."""
    _known_keys(node, KINDS, "kind of bet")
    return {kind: node.text(kind) for kind in node.names()}


def read_citations(node: Node, allowed: tuple[str, ...], what: str, sources: Sources) -> Mapping[str, str]:
    """Clauses by topic."""
    _known_keys(node, allowed, what)
    return {topic: sources.clause(node, topic) for topic in node.names()}


def read_topics(node: Node, sources: Sources) -> Mapping[str, str]:
    """The clauses that the table cites beside pays and irregularities."""
    return read_citations(node, TOPICS, "topic", sources)


def read_notices(node: Node, sources: Sources) -> Mapping[str, Notice]:
    """What players are shown at each step; every step has one."""
    _known_keys(node, NOTICES, "step")
    notices = {}
    for step, entry in node.named_tables():
        texts = entry.texts("texts")
        for index, text in enumerate(texts):
            for blank in re.findall(r"\{(.*?)\}", text):
                if blank not in NOTICE_FACTS.get(step, ()):
                    sentence = f"the notice {step} has no fact {{{blank}}} to show."
                    entry.fault("unknown-fact", sentence, "texts", index)
            if re.search(r"[{}]", re.sub(r"\{.*?\}", "", text)):
                sentence = f"a brace of the notice {step} has no counterpart: {short(text)}."
                entry.fault("unknown-fact", sentence, "texts", index)
        notices[step] = Notice(step=step, texts=tuple(texts), source=sources.source(entry))
        entry.finish()
    for step in NOTICES:
        if step not in notices:
            node.fault("missing", f"the notice for the step {step} is missing.")
    return notices


def read_irregularities(root: Node, sources: Sources) -> Mapping[str, Irregularity]:
    """What may go wrong, by cause; where the table acts on one by itself, with the words that fit."""
    found: dict[str, Irregularity] = {}
    for node in root.tables("irregularity"):
        cause = node.text("cause")
        words = words_of(cause)
        if cause in found:
            node.fault("double-id", f"the irregularity {cause} is listed twice.", "cause")
        found[cause] = Irregularity(
            cause=cause,
            title=node.text("title"),
            clause=sources.source(node),
            consequence=node.choice("consequence", words.consequences),
            since=node.choice("since", words.since),
        )
        node.finish()
    return found


def read_authority(node: Node, sources: Sources) -> Mapping[str, Authority]:
    """Who may do what. An action that is not listed is not part of the game."""
    _known_keys(node, ACTIONS, "action")
    found = {}
    for action, entry in node.named_tables():
        people = entry.whole("people", 1) if entry.has("people") else 1
        if people > 2:
            entry.fault("too-many-people", f"people is {people}; an action takes one or two.", "people")
        position = entry.choice("position", ASSIGNED)
        if position == PLAYER and people == 2:
            entry.fault("player-acts-alone", "people is 2; a player acts alone.", "people")
        found[action] = Authority(
            action=action,
            position=position,
            people=people,
            source=sources.source(entry),
        )
        entry.finish()
    return found


def _known_keys(node: Node, allowed: tuple[str, ...], what: str) -> None:
    for key in node.names():
        if key not in allowed:
            node.fault("unknown-word", f"{key!r} is not a {what}; it must be one of {listed(allowed)}.", key)
