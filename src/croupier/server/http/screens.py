"""The files of the screens as they were built, held in memory, each compressed once."""

import gzip
import mimetypes
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

import msgspec

_WORTH_COMPRESSING: Final = 1024
_COMPRESSED: Final = ("font/", "image/png", "image/jpeg", "image/webp", "image/avif", "audio/")
"""What is small already."""


class Asset(msgspec.Struct, frozen=True):
    """A file of the screens."""

    content: bytes
    compressed: bytes | None
    media_type: str


class Screens:
    """All files that the screens consist of."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._assets: Mapping[str, Asset] = dict(_assets(folder or built_screens()))

    def find(self, path: str) -> Asset | None:
        """A file by its path; None where there is none."""
        return self._assets.get(path)


def built_screens() -> Traversable:
    """Where the build puts them."""
    return resources.files("croupier.server") / "static"


def _assets(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Asset]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _assets(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", _asset(entry)


def _asset(file: Traversable) -> Asset:
    content = file.read_bytes()
    media_type = _MORE_TYPES.get(file.name.rpartition(".")[2]) or mimetypes.guess_type(file.name)[0]
    media_type = media_type or "application/octet-stream"
    if len(content) < _WORTH_COMPRESSING or media_type.startswith(_COMPRESSED):
        return Asset(content, None, media_type)
    return Asset(content, gzip.compress(content, 9, mtime=0), media_type)


_MORE_TYPES: Final = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "json": "application/json",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "webmanifest": "application/manifest+json",
}
"""What the machine's own table may not know, or know otherwise."""
