"""What can be said about a call, and about all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypedDict, Union

Token = Union[str, Callable[[], Union[str, None]]]
"""A bearer token, or what gives one; it is asked anew for every attempt."""

AsyncToken = Union[Token, Callable[[], Awaitable[Union[str, None]]]]
"""A bearer token, or what gives one, also after a while."""

Secret = Token
"""A key or a token, or what gives one; it is asked anew for every attempt."""

AsyncSecret = AsyncToken
"""A key or a token, or what gives one, also after a while."""


class RequestOptions(TypedDict, total=False):
    """What can be said about a single call."""

    timeout: float
    """For how many seconds the server may be silent in an attempt of this call."""
    retries: int
    """How often this call is sent again, where that is safe."""
    headers: Mapping[str, str]
    """Sent with this call."""


@dataclass(frozen=True)
class Settings:
    """What holds for all calls of a client."""

    base_url: str
    timeout: float = 30.0
    retries: int = 3
    max_delay: float = 60.0
    headers: Mapping[str, str] = field(default_factory=dict)
