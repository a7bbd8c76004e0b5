"""What is sent and what comes back, however it is sent."""

from __future__ import annotations

import json
import uuid
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from ._errors import ApiConnectionError, ApiError, ContractMismatchWarning
from ._options import RequestOptions, Settings
from ._retry import Outcome, Repeatable
from ._wire import decode, encode

Data = TypeVar("Data", covariant=True)
Headers = TypeVar("Headers", covariant=True)


@dataclass(frozen=True)
class Reply(Generic[Data, Headers]):
    """An answer with all that the contract says about it."""

    data: Data
    status: int
    raw_headers: Mapping[str, str]
    """All headers, as they came."""
    _kind: Any = None

    @property
    def headers(self) -> Headers:
        """The headers that the contract declares; read when asked for, as a proxy may have taken some."""
        found: Headers = decode(self._kind, _header_values(self._kind, self.raw_headers))
        return found


@dataclass(frozen=True)
class Operation:
    """What the contract says about an operation, as far as sending it takes."""

    id: str
    method: str
    path: str
    accept: str
    replies: Mapping[int, tuple[Literal["json", "text", "nothing"], Any]]
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    reply_headers: Any = None


@dataclass(frozen=True)
class Identity:
    """What an SDK knows about itself and its contracts."""

    user_agent: str
    digest: str
    refusal: Callable[[str, int, Any, Mapping[str, str]], ApiError]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True)
class Request:
    operation: str
    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    repeatable: Repeatable
    options: RequestOptions
    refuses: Callable[[Answer], bool] = lambda answer: False

    def outcome(self, answer: Answer | None) -> Outcome:
        if answer is None:
            return Outcome(None)
        status = 503 if self.refuses(answer) else answer.status
        return Outcome(status, answer.headers.get("retry-after"))


def prepare(
    settings: Settings,
    identity: Identity,
    operation: Operation,
    path: Mapping[str, object],
    body: object,
    given: Mapping[str, object],
    options: RequestOptions,
) -> Request:
    """The request that a call comes to; a POST that takes a key is given one."""
    query = {
        wire: _text(given[name])
        for name, wire in operation.query.items()
        if given.get(name) is not None
    }
    own: dict[str, str] = {}
    for name, wire in operation.headers.items():
        value = given.get(name)
        if value is None and operation.method == "POST" and wire.lower() == "idempotency-key":
            value = uuid.uuid4().hex
        if value is not None:
            own[wire.lower()] = _text(value)
    filled = operation.path
    for name, value in path.items():
        filled = filled.replace("{" + name + "}", quote(_text(value), safe=""))
    url = settings.base_url.rstrip("/") + filled + (f"?{urlencode(query)}" if query else "")
    return request_of(
        settings,
        identity,
        operation.id,
        operation.method,
        url,
        {"accept": operation.accept, **own},
        None if body is None else encode(body),
        _repeatable(operation.method, own),
        options,
    )


def request_of(
    settings: Settings,
    identity: Identity,
    operation: str,
    method: str,
    url: str,
    own: Mapping[str, str],
    body: Any,
    repeatable: Repeatable,
    options: RequestOptions,
    refuses: Callable[[Answer], bool] = lambda answer: False,
) -> Request:
    content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
    headers = {
        "user-agent": identity.user_agent,
        **({} if content is None else {"content-type": "application/json"}),
        **own,
        **settings.headers,
        **options.get("headers", {}),
    }
    return Request(operation, method, url, headers, content, repeatable, options, refuses)


def read(
    identity: Identity, operation: Operation, answer: Answer, may_have_happened: bool
) -> Reply[Any, Any]:
    """The reply that an answer is, or the error of its status."""
    reads = operation.replies.get(answer.status)
    # A delete that was carried out unheard finds nothing when it is sent again.
    if reads is None and operation.method == "DELETE" and answer.status == 404 and may_have_happened:
        reads = ("nothing", None)
    if reads is None:
        raise identity.refusal(operation.id, answer.status, parsed(answer.text), answer.headers)
    how, kind = reads
    try:
        data = None if how == "nothing" else answer.text
        if how == "json":
            data = decode(kind, json.loads(answer.text))
    except ValueError as error:
        raise ApiConnectionError(operation.id, f"not what the contract says: {error}") from error
    return Reply(data, answer.status, answer.headers, operation.reply_headers)


def parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


class DigestWatch:
    """Warns once when the server enforces other contracts."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._is_warned = False

    def look(self, headers: Mapping[str, str]) -> None:
        digest = headers.get("contract-digest")
        if self._is_warned or digest is None or digest == self._identity.digest:
            return
        self._is_warned = True
        warnings.warn(
            f"The server's contracts ({digest}) are not those that {self._identity.user_agent} "
            f"was made from ({self._identity.digest}): some answers may not be as their types say.",
            ContractMismatchWarning,
            stacklevel=2,
        )


def _repeatable(method: str, headers: Mapping[str, str]) -> Repeatable:
    if method in ("POST", "PATCH"):
        return "keyed" if "idempotency-key" in headers else "once"
    if method == "GET":
        return "any"
    return "any" if headers.get("if-match", "*") == "*" else "versioned"


def _header_values(kind: Any, headers: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, (wire, converts) in kind.WIRE.items():
        if wire in headers:
            values[name] = converts(headers[wire])
    return values


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(_text(each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
