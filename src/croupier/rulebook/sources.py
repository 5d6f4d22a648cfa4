"""What a book's statements rest on: clauses of the text and assumptions of ours."""

from collections.abc import Mapping

from croupier.rulebook.model import Assumption, Clause
from croupier.rulebook.reader import Node
from croupier.rulebook.vocabulary import CLAUSE_KINDS, PARTS


class Sources:
    """The clauses and assumptions of a book; checks that whatever is cited is listed."""

    def __init__(self, book_id: str, root: Node) -> None:
        self.book_id = book_id
        self.clauses = self._read_clauses(root)
        self.assumptions = self._read_assumptions(root)

    def clause(self, node: Node, key: str) -> str:
        """The clause that `key` cites, written in full."""
        cited = node.text(key)
        return self.checked_clause(node, cited, key)

    def checked_clause(self, node: Node, cited: str, *below: str | int) -> str:
        """A cited clause, written in full; a fault where the book does not list it."""
        full = f"{self.book_id}:{cited}"
        if cited and full not in self.clauses:
            node.fault(
                "clause-not-listed", f"clause {cited!r} is cited, and no [[clause]] has that id.", *below
            )
        return full

    def source(self, node: Node) -> str:
        """What an entry rests on: its `clause`, or an `assumption` of ours."""
        if node.has("clause") == node.has("assumption"):
            node.fault("no-source", "cite either a clause or an assumption.")
        if node.has("clause"):
            return self.clause(node, "clause")
        if not node.has("assumption"):
            return ""
        cited = node.text("assumption")
        if cited not in self.assumptions:
            node.fault("assumption-not-listed", f"no [[assumption]] has the id {cited!r}.", "assumption")
        return f"assumption:{cited}"

    def _read_clauses(self, root: Node) -> Mapping[str, Clause]:
        clauses: dict[str, Clause] = {}
        for node in root.tables("clause"):
            full = f"{self.book_id}:{node.text('id')}"
            if full in clauses:
                node.fault("double-id", f"clause {full} is listed twice.", "id")
            clauses[full] = Clause(
                id=full,
                kind=node.choice("kind", CLAUSE_KINDS),
                summary=node.passage("summary"),
                shown_by=node.choice("shown_by", PARTS) if node.has("shown_by") else None,
            )
            node.finish()
        return clauses

    def _read_assumptions(self, root: Node) -> Mapping[str, Assumption]:
        assumptions: dict[str, Assumption] = {}
        for node in root.tables("assumption"):
            assumption = Assumption(id=node.text("id"), text=node.passage("text"))
            if assumption.id in assumptions:
                node.fault("double-id", f"assumption {assumption.id} is listed twice.", "id")
            assumptions[assumption.id] = assumption
            node.finish()
        return assumptions
