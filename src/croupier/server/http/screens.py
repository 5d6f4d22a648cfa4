"""The files of the screens as they were built, held in memory, each compressed once."""

import gzip
import mimetypes
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

import msgspec
from litestar import Request, Response

COMPRESSED_ALREADY: Final = "compressed_already"
"""Marks handlers whose answers are not to be compressed again."""

_WORTH_COMPRESSING: Final = 1024
_COMPRESSED: Final = ("font/", "image/png", "image/jpeg", "image/webp", "image/avif", "audio/")
"""What is small already."""


class Asset(msgspec.Struct, frozen=True):
    """Something that is given out as it is: a file of the screens, a book's view."""

    content: bytes
    compressed: bytes | None
    media_type: str

    def response(self, request: Request[Any, Any, Any], cache: str) -> Response[Any]:
        """The answer to a request for it: compressed where the client takes that."""
        headers = {"Cache-Control": cache}
        content = self.content
        if self.compressed is not None:
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in request.headers.get("accept-encoding", ""):
                content, headers["Content-Encoding"] = self.compressed, "gzip"
        return Response(content, media_type=self.media_type, headers=headers)


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
    media_type = _MORE_TYPES.get(file.name.rpartition(".")[2]) or mimetypes.guess_type(file.name)[0]
    return make_asset(file.read_bytes(), media_type or "application/octet-stream")


def make_asset(content: bytes, media_type: str) -> Asset:
    """Something to be given out often: compressed once, where that makes it smaller."""
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
