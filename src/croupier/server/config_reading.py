"""Reading a floor's configuration so that every fault is found in one go, each with its line."""

import ipaddress
import re
import ssl
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from croupier.floor.cage.vouchers import VALID_DAYS
from croupier.floor.office.lockout import LONGEST_MINUTES, LockOutPolicy
from croupier.floor.office.state import FAILURES_KEPT
from croupier.floor.reports.calendar import STARTS, Calendar
from croupier.journal.opening import hosts_in_the_clear, is_postgres
from croupier.rulebook import BadInput, Book, BookFaults, Fault, load_book, load_book_file, shipped_books
from croupier.rulebook.files import read_file
from croupier.rulebook.places import find_places
from croupier.rulebook.reader import FaultLog, Node
from croupier.server.access import AccessPolicy
from croupier.server.config import Config, ConfigFaults, Listen, Tls
from croupier.server.config_files import is_no_file, journal_file, key_file, record_file
from croupier.server.config_servers import read_servers
from croupier.server.config_tables import check_currency, read_tables
from croupier.server.config_values import flag, is_loopback, part, text, whole
from croupier.server.input_limits import InputLimits
from croupier.table.crediting import MOST_VOUCHER_DAYS

DEFAULT_FILE: Final = "croupier.toml"
DEFAULT_PORT: Final = 8000

_AT_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)$")


def load_config(path: Path | str, *, to_start: bool = False) -> Config:
    """A floor from its file; raises `ConfigFaults` with everything that is wrong.

    What a floor has to have `to_start` may still be missing where it is being set up.
    """
    path = Path(path)
    try:
        content = read_file(path)
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        reason = getattr(error, "strerror", None) or "it cannot be read"
        raise BadInput(
            "config-unreadable",
            f"The configuration {str(path)!r} cannot be opened: {reason}.",
            "Give the path of a floor's .toml file; docs/configuration.md describes it.",
        ) from error
    return read_config(content, str(path), path.parent, to_start=to_start)


def read_config(content: bytes, source: str, folder: Path, *, to_start: bool = False) -> Config:
    """A floor from the content of its file; paths in it are seen from a folder."""
    try:
        written = content.decode("utf-8-sig")
        document = tomllib.loads(written)
    except (ValueError, RecursionError) as error:
        raise ConfigFaults(source, [_syntax_fault(content, error)]) from error
    places = find_places(written)
    log = FaultLog(places)
    root = Node(document, (), log)
    config = _read(root, source, folder, lambda node: places.get(node.path, 1), to_start)
    if log.faults:
        raise ConfigFaults(source, log.faults)
    return config


def _read(root: Node, source: str, folder: Path, line_of: Callable[[Node], int], to_start: bool) -> Config:
    floor = root.table("floor")
    book_files = tuple(folder / name for name in (floor.texts("books") if floor.has("books") else []))
    books = _read_books(floor, book_files)
    demonstration = flag(floor, "demonstration")
    listen = _read_listen(part(root, "listen"))
    tls = _read_tls(root.table("tls"), folder) if root.has("tls") else None
    _check_listening(root, listen, tls, demonstration=demonstration)
    journal = _read_journal(floor, folder)

    def find_book(book_id: str) -> Book:
        return load_book(book_id, books)

    config = Config(
        source=source,
        name=floor.text("name"),
        site=floor.text("site"),
        time_zone=_read_zone(floor),
        shifts=_read_shifts(floor),
        journal=journal,
        voucher_key=key_file(floor, folder, journal),
        voucher_days=whole(floor, "voucher_days", 1, MOST_VOUCHER_DAYS, VALID_DAYS),
        wheel_alarm_one_in=whole(floor, "wheel_alarm_one_in", 10, 1_000_000, 10_000),
        integrity=record_file(floor, folder, to_start=to_start),
        demonstration=demonstration,
        listen=listen,
        tls=tls,
        input=_read_input(part(root, "input")),
        access=_read_access(part(root, "sessions"), part(root, "lock_out")),
        books=books,
        book_files=tuple(map(str, book_files)),
        tables=read_tables(root, find_book, line_of),
        servers=read_servers(root, folder, journal, demonstration=demonstration),
    )
    check_currency(root, config.tables, find_book, floor.text("currency") if floor.has("currency") else "")
    _check_wheels(root, config)
    floor.finish()
    root.finish()
    return config


def _check_wheels(root: Node, config: Config) -> None:
    """Only a demonstration plays with wheels that are not there; the approved games have real ones."""
    simulated = [table.id for table in config.tables if table.settings.spin_source == "simulated"]
    if simulated and not config.demonstration:
        names = ", ".join(simulated)
        sentence = f"the wheels of {names} are simulated, which only a demonstration floor may have."
        root.fault("simulated-wheel", sentence, "table")


def _read_books(floor: Node, files: Sequence[Path]) -> dict[str, Book]:
    books: dict[str, Book] = {}
    for index, file in enumerate(files):
        try:
            book = load_book_file(file)
        except (BadInput, BookFaults) as error:
            floor.fault("book", str(error).replace("\n", " "), "books", index)
            continue
        if book.id in books:
            floor.fault("double-id", f"there is a book {book.id} already.", "books", index)
        if book.id in shipped_books():
            sentence = f"{book.id} is a game that comes with croupier; a book of your own has its own id."
            floor.fault("double-id", sentence, "books", index)
        books[book.id] = book
    return books


def _read_zone(floor: Node) -> str:
    zone = text(floor, "time_zone", "UTC")
    try:
        ZoneInfo(zone)
    except (OSError, ValueError, LookupError):  # what is no zone may be a folder, or no name at all
        sentence = f"{zone!r} is not a time zone; write for example Asia/Singapore."
        floor.fault("unknown-zone", sentence, "time_zone")
    return zone


def _read_shifts(floor: Node) -> tuple[str, ...]:
    if not floor.has("shifts"):
        return STARTS
    shifts = tuple(floor.texts("shifts"))
    try:
        Calendar("UTC", shifts)
    except BadInput as error:
        floor.fault("shifts", str(error), "shifts")
    return shifts


def _read_journal(floor: Node, folder: Path) -> str:
    journal, is_tunnelled = floor.text("journal"), flag(floor, "journal_in_the_clear")
    if not is_postgres(journal):
        return journal_file(floor, journal, folder)
    if "\0" in journal:  # a fault already, as all control characters are; nothing can ask for such a host
        return ""
    if (hosts := hosts_in_the_clear(journal)) and not is_tunnelled:
        sentence = (
            f"the way to {', '.join(hosts)} is not encrypted, or does not ask who answers: "
            "end the address with ?sslmode=verify-full"
        )
        floor.fault("journal-in-the-clear", sentence, "journal")
    return journal


def _read_listen(node: Node) -> Listen:
    origins = node.texts("origins") if node.has("origins") else []
    for place, origin in enumerate(origins):
        parts = urlsplit(origin)
        if (
            parts.scheme not in ("http", "https")
            or not parts.netloc
            or origin != f"{parts.scheme}://{parts.netloc}"
        ):
            sentence = f"{origin!r} is not an origin; write for example https://pit.example."
            node.fault("origin-malformed", sentence, "origins", place)
    behind_proxy = flag(node, "behind_proxy")
    listen = Listen(
        host=text(node, "host", "127.0.0.1"),
        port=whole(node, "port", 0, 65_535, DEFAULT_PORT),
        behind_proxy=behind_proxy,
        proxies=_read_proxies(node, behind_proxy),
        origins=tuple(origins),
    )
    node.finish()
    return listen


def _read_proxies(node: Node, behind_proxy: bool) -> tuple[str, ...]:
    """Whose word about a client's address is taken; the machine's own where none is named."""
    if not node.has("proxies"):
        return ("127.0.0.1", "::1") if behind_proxy else ()
    proxies = node.texts("proxies")
    for place, proxy in enumerate(proxies):
        try:
            ipaddress.ip_address(proxy)
        except ValueError:
            sentence = f"{proxy!r} is not the address of a proxy; write for example 10.0.0.5."
            node.fault("proxy-malformed", sentence, "proxies", place)
    if not behind_proxy:
        node.fault("not-needed", "proxies are believed only with behind_proxy = true.", "proxies")
    return tuple(proxies)


def _check_listening(root: Node, listen: Listen, tls: Tls | None, *, demonstration: bool) -> None:
    if is_loopback(listen.host):
        return
    if demonstration:
        sentence = f"a demonstration floor listens on loopback only, not on {listen.host}; write 127.0.0.1."
        root.fault("demonstration-open", sentence, "listen", "host")
    if tls is None and not listen.behind_proxy:
        sentence = (
            f"{listen.host} is reached from elsewhere, and nothing encrypts: name certificate and key under "
            "[tls], or write behind_proxy = true where a proxy in front speaks TLS."
        )
        root.fault("not-encrypted", sentence, "listen", "host")


def _read_tls(node: Node, folder: Path) -> Tls:
    files = {key: folder / node.text(key) for key in ("certificate", "key")}
    node.finish()
    missing = [key for key, path in files.items() if node.has(key) and is_no_file(path)]
    for key in missing:
        node.fault("no-file", f"there is no file {str(files[key])!r}.", key)
    forbidden = (
        [] if missing else [key for key, path in files.items() if node.has(key) and _is_forbidden(path)]
    )
    for key in forbidden:
        sentence = f"this account may not read {str(files[key])!r}; let the server's account read it."
        node.fault("tls-unusable", sentence, key)
    if not missing and not forbidden and node.has("certificate") and node.has("key"):
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(files["certificate"], files["key"], password=lambda: "")
        except (ssl.SSLError, OSError) as error:
            reason = getattr(error, "reason", None) or error.strerror
            sentence = f"the certificate and the key cannot be used together: {reason}."
            node.fault("tls-unusable", sentence, "certificate")
    return Tls(certificate=str(files["certificate"]), key=str(files["key"]))


def _is_forbidden(path: Path) -> bool:
    try:
        path.open("rb").close()
    except PermissionError:
        return True
    except OSError:  # something else is wrong with it
        return False
    return False


def _read_input(node: Node) -> InputLimits:
    usual = InputLimits()
    one_address = node.has("connections_of_address")
    limits = InputLimits(
        message_bytes=whole(node, "message_bytes", 1_024, 1_000_000, usual.message_bytes),
        rate=whole(node, "messages_a_second", 1, 10_000, usual.rate),
        burst=whole(node, "messages_at_once", 1, 100_000, usual.burst),
        bets=whole(node, "bets_in_a_command", 1, 10_000, usual.bets),
        problems=whole(node, "problems", 1, 10_000, usual.problems),
        connections=whole(node, "connections", 1, 100_000, usual.connections),
        of_address=whole(node, "connections_of_address", 1, 100_000, 1) if one_address else None,
    )
    node.finish()
    return limits


def _read_access(sessions: Node, lock_out: Node) -> AccessPolicy:
    usual, usual_lock = AccessPolicy(), LockOutPolicy()
    policy = AccessPolicy(
        session_hours=whole(sessions, "hours", 1, 24, usual.session_hours),
        idle_minutes=whole(sessions, "idle_minutes", 1, 24 * 60, usual.idle_minutes),
        sessions_each=whole(sessions, "each", 1, 100, usual.sessions_each),
        one_time_hours=whole(sessions, "one_time_hours", 1, 24 * 30, usual.one_time_hours),
        code_minutes=whole(sessions, "code_minutes", 1, 24 * 60, usual.code_minutes),
        hashers=whole(sessions, "hashers", 1, 64, usual.hashers),
        lock_out=LockOutPolicy(
            failures=whole(lock_out, "failures", 1, 100, usual_lock.failures),
            window_minutes=whole(lock_out, "window_minutes", 1, LONGEST_MINUTES, usual_lock.window_minutes),
            locked_minutes=whole(lock_out, "locked_minutes", 1, LONGEST_MINUTES, usual_lock.locked_minutes),
            address_failures=whole(
                lock_out, "address_failures", 1, FAILURES_KEPT, usual_lock.address_failures
            ),
        ),
    )
    sessions.finish()
    lock_out.finish()
    return policy


def _syntax_fault(content: bytes, error: Exception) -> Fault:
    if isinstance(error, UnicodeDecodeError):
        line = error.object.count(b"\n", 0, error.start) + 1
        return Fault(line, "the file", "not-utf-8", "the file is not UTF-8 text.")
    message = "it nests too deeply" if isinstance(error, RecursionError) else str(error)
    at_line = _AT_LINE.search(message)
    line = int(at_line.group(1)) if at_line else content.rstrip(b"\n").count(b"\n") + 1
    sentence = message.partition(" (at ")[0].rstrip(".")
    return Fault(line, "the file", "not-toml", f"the file is not valid TOML: {sentence}.")
