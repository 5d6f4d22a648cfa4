"""`croupier integrity`: whether the installed software is the software that was recorded."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.files import named_place, write_bytes
from croupier.rulebook import BadInput
from croupier.rulebook.files import read_file

if TYPE_CHECKING:
    from croupier.floor.house.integrity import IntegrityReport, Manifest

_NOT_AS_RECORDED: Final = 1
_FILE: Final = "croupier-integrity.json"


def _run(args: argparse.Namespace) -> Output:
    from croupier.floor.house.integrity import compare, measure, read_manifest

    path, books = Path(args.record), [Path(name) for name in args.book]
    if args.floor is not None:
        from croupier.cli.admin_floor import read_floor

        books += map(Path, read_floor(args.floor).book_files)
    if args.write:
        return _write(named_place(args.record), books, as_data=args.json)
    report = compare(read_manifest(path), measure(books=books))
    status = 0 if report.ok else _NOT_AS_RECORDED
    if args.json:
        facts = {
            "ok": report.ok,
            "digest": report.digest,
            "approved": report.approved,
            "faults": list(report.faults),
        }
        return Output(text=as_json(facts), status=status)
    verdict = "The software is as recorded." if report.ok else "\n".join(report.faults)
    return Output(text=f"{verdict}\n{_digests(report)}", status=status)


def _write(path: Path, books: list[Path], *, as_data: bool) -> Output:
    import msgspec

    from croupier.floor.house.integrity import compile_all, record

    for book in books:
        _check_readable(book)
    compile_all()
    manifest = record(books=books)
    write_bytes(path, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    if as_data:
        facts = {"record": str(path), "digest": manifest.digest, "approved": manifest.approved}
        return Output(text=as_json(facts))
    text = f"{len(manifest.files)} files are recorded in {path}.\n{_digests(manifest)}"
    return Output(text=text)


def _digests(of: "Manifest | IntegrityReport") -> str:
    return (
        f"SHA-256 {of.digest} of this installation, compiled files included\n"
        f"SHA-256 {of.approved} of sources, books and pages, for a certificate\n"
    )


def _check_readable(book: Path) -> None:
    """Refuses a book that would be recorded as one that cannot be read, and be found so ever after."""
    try:
        read_file(book)
    except OSError as error:
        raise BadInput(
            "book-unreadable",
            f"The book {str(book)!r} cannot be opened: {error.strerror}.",
            "Give the path of a .toml file.",
        ) from error


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "record", metavar="RECORD", nargs="?", default=_FILE, help=f"the record's file ({_FILE} otherwise)"
    )
    parser.add_argument("--write", action="store_true", help="record the software as it is")
    parser.add_argument(
        "--book", metavar="FILE", action="append", default=[], help="a book of your own, covered as well"
    )
    parser.add_argument(
        "--floor", metavar="CONFIG", help="a floor's configuration, whose own books are covered as well"
    )
    add_json(parser)


INTEGRITY: Final = Command(
    "integrity",
    "[RECORD] [--write] [--floor CONFIG] [--book FILE] [--json]",
    "whether the installed software is the software that was recorded",
    _add_arguments,
    _run,
)
