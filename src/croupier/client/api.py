"""What is asked once: sign-in, enrolment, tables, vouchers, over HTTP."""

import contextlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import httpx
import msgspec

_JSON: Final = "application/json"
_JSON_LINES: Final = "application/x-ndjson"


class ApiRefused(Exception):
    """The floor refused; the code is stable, the sentence is for people."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(f"{code}: {sentence}")
        self.status = status
        self.code = code
        self.sentence = sentence


class Api:
    """The HTTP side of a floor, with the token of a person or a device."""

    def __init__(self, base_url: str, token: str | None = None) -> None:
        self.base_url = base_url.rstrip("/")
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = httpx.AsyncClient(base_url=self.base_url, headers=headers, trust_env=False, timeout=30)

    @property
    def socket_url(self) -> str:
        """Where tables are spoken to."""
        return "ws" + self.base_url.removeprefix("http") + "/ws"

    async def __aenter__(self) -> "Api":
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._http.aclose()

    def with_token(self, token: str) -> "Api":
        """The same floor, asked by somebody."""
        return Api(self.base_url, token)

    async def get(self, path: str, query: Mapping[str, Any] = MappingProxyType({}), /, **more: Any) -> Any:
        """What the floor answers to a question: values, a text where it is one, or the bytes of a file.

        Parameters are given by name, or in a mapping where Python has another use for the name: `from`.
        """
        return _content(await self._http.get(path, params={**query, **more}))

    async def post(self, path: str, **body: Any) -> Any:
        """What the floor answers to something that is to be done."""
        raw = msgspec.json.encode(body)
        response = await self._http.post(path, content=raw, headers={"Content-Type": "application/json"})
        return _content(response)

    async def sign_in(self, name: str, password: str) -> str:
        """The token of a new session."""
        answer = await self.post("/api/sign-in", name=name, password=password)
        return str(answer["token"])

    async def enrol(self, code: str) -> str:
        """The token of a device, for its one-time code."""
        answer = await self.post("/api/devices/enrol", code=code)
        return str(answer["token"])


def _content(response: httpx.Response) -> Any:
    if not response.is_success:
        raise _refused(response)
    kind = _kind(response)
    if not response.content:
        return None
    if kind == _JSON:
        return response.json()
    return response.text if kind.startswith("text/") or kind == _JSON_LINES else response.content


def _kind(response: httpx.Response) -> str:
    content_type: str = response.headers.get("Content-Type", "")
    return content_type.partition(";")[0].strip().lower()


def _refused(response: httpx.Response) -> ApiRefused:
    known: Any = None
    if _kind(response) == _JSON:
        with contextlib.suppress(ValueError):  # something between here and the floor may answer as well
            known = response.json()
    if not isinstance(known, dict):
        known = {}
    sentence = f"The floor answered with status {response.status_code}."
    return ApiRefused(
        response.status_code, str(known.get("code", "http-error")), str(known.get("sentence", sentence))
    )
