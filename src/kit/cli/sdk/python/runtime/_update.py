"""Reads, changes and writes back; when somebody else has written meanwhile, all of it again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from ._errors import ApiError
from ._request import Reply

Record = TypeVar("Record")
Input = TypeVar("Input")

_ATTEMPTS = 10


def update(
    read: Callable[[], Reply[Record, Any]],
    write: Callable[[Input, str], Record],
    change: Callable[[Record], Input],
) -> Record:
    for _ in range(_ATTEMPTS - 1):
        reply = read()
        try:
            return write(change(reply.data), reply.headers.etag)
        except ApiError as error:
            if error.status != 412:
                raise
    reply = read()
    return write(change(reply.data), reply.headers.etag)


async def update_async(
    read: Callable[[], Awaitable[Reply[Record, Any]]],
    write: Callable[[Input, str], Awaitable[Record]],
    change: Callable[[Record], Input],
) -> Record:
    for _ in range(_ATTEMPTS - 1):
        reply = await read()
        try:
            return await write(change(reply.data), reply.headers.etag)
        except ApiError as error:
            if error.status != 412:
                raise
    reply = await read()
    return await write(change(reply.data), reply.headers.etag)
