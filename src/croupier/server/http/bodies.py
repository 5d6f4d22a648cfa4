"""Bodies of requests, read strictly: a number is a number, and "12" is not one."""

from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ValidationException


class StrictRequest(Request[Any, Any, State]):
    """A request whose body is what its handler takes, to the letter."""

    async def json(self) -> Any:
        """The body, decoded as the handler's type; the framework would turn texts into numbers by itself."""
        body = self.route_handler.parsed_data_field
        wanted = Any if body is None else body.annotation
        try:
            return msgspec.json.decode(await self.body(), type=wanted)
        except msgspec.ValidationError as error:
            raise ValidationException(extra=[{"message": str(error)}]) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ValidationException(extra=[{"message": "it is not JSON"}]) from error
