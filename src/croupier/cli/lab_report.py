"""`croupier lab report`: the sheet on a game that a test lab reads, as a page and on paper."""

import argparse
from typing import Final

from croupier.cli.command import Command, Output, add_book, add_layout
from croupier.cli.files import make_folder, named_place, write_bytes
from croupier.cli.lab_simulate import SEED, SESSIONS
from croupier.cli.progress import progress_bar
from croupier.rulebook import get_layout, load_book


def _run(args: argparse.Namespace) -> Output:
    from croupier.lab.report import make_report

    book = load_book(args.book)
    felt = get_layout(book, args.layout)
    folder = named_place(args.out)
    make_folder(folder)
    with progress_bar(args.progress, "report") as progress:
        report = make_report(
            book,
            felt,
            source=args.book,
            sessions=args.sessions,
            seed=args.seed,
            tell=None if progress is None else lambda what, done, total: progress(done, total),
        )
    files = {
        folder / f"{book.id}-{felt.id}.html": report.html.encode(),
        folder / f"{book.id}-{felt.id}.pdf": report.pdf,
    }
    for path, content in files.items():
        write_bytes(path, content)
    lines = (f"{path}: {len(content):,} bytes\n" for path, content in files.items())
    return Output(text="".join(lines))


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_book(parser)
    add_layout(parser)
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder for the page and the PDF")
    parser.add_argument(
        "--sessions",
        metavar="N",
        type=int,
        default=SESSIONS,
        help=f"how many sessions are simulated with each system ({SESSIONS}, where not named)",
    )
    parser.add_argument(
        "--seed", metavar="S", type=int, default=SEED, help=f"the seed of the wheel ({SEED}, where not named)"
    )
    parser.add_argument("--progress", action="store_true", help="show a bar although nobody may be watching")


REPORT: Final = Command(
    "report",
    "BOOK [--layout L] --out DIR [--sessions N] [--seed S] [--progress]",
    "the PAR sheet of a game: one page of HTML, and the same as PDF",
    _add_arguments,
    _run,
)
