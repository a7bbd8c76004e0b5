"""What is sent and what comes back, however it is sent."""

from __future__ import annotations

import json
import re
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from ._body import BodyForm, write_body
from ._credentials import Carried, Scheme
from ._errors import ApiConnectionError, ApiError, ContractMismatchWarning
from ._options import RequestOptions, Settings
from ._parameters import Parameter, parameter_text
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
    replies: Mapping[int | str, tuple[Literal["json", "text", "binary", "any", "nothing"], Any]]
    """How the body of each status is read, by status, "2XX" or "default"."""
    parameters: Sequence[Parameter] = ()
    bodies: Sequence[BodyForm] = ()
    reply_headers: Any = None
    security: Sequence[Sequence[str]] = ()
    """Alternatives, each the names of security schemes."""


@dataclass(frozen=True)
class Identity:
    """What an SDK knows about itself and its contracts."""

    user_agent: str
    digest: str
    refusal: Callable[[str, int, Any, Mapping[str, str]], ApiError]
    schemes: Mapping[str, Scheme] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes
    encoding: str = "utf-8"

    @property
    def text(self) -> str:
        return self.content.decode(self.encoding, "replace")


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
    security: Sequence[Sequence[str]] = ()

    def carrying(
        self, carried: Carried, more: Mapping[str, str] = {}
    ) -> tuple[str, dict[str, str]]:
        """Address and headers with credentials; headers that were given win."""
        cookies = [each for each in (self.headers.get("cookie"), *carried.cookies) if each]
        headers = {**more, **carried.headers, **self.headers}
        if cookies:
            headers["cookie"] = "; ".join(cookies)
        return with_query(self.url, carried.query), headers

    def outcome(self, answer: Answer | None) -> Outcome:
        if answer is None:
            return Outcome(None)
        status = 503 if self.refuses(answer) else answer.status
        return Outcome(status, answer.headers.get("retry-after"))


def prepare(
    settings: Settings,
    identity: Identity,
    operation: Operation,
    body: object,
    given: Mapping[str, object],
    options: RequestOptions,
) -> Request:
    """The request that a call comes to; a POST that takes a key is given one."""
    texts: dict[str, list[tuple[str, str]]] = {"path": [], "query": [], "header": [], "cookie": []}
    for parameter in operation.parameters:
        value = given.get(parameter.key)
        is_key = operation.method == "POST" and parameter.name.lower() == "idempotency-key"
        if value is None and is_key:
            value = uuid.uuid4().hex
        if value is not None:
            text = parameter_text(parameter, encode(value))
            texts[parameter.place].append((parameter.name, text))
    own = {name.lower(): text for name, text in texts["header"]}
    cookies = [text for _, text in texts["cookie"] if text]
    if cookies:
        own["cookie"] = "; ".join(cookies)
    in_path = dict(texts["path"])
    filled = re.sub(r"\{([^}]*)\}", lambda found: in_path.get(found[1], ""), operation.path)
    url = settings.base_url.rstrip("/") + filled
    return request_of(
        settings,
        identity,
        operation.id,
        operation.method,
        with_query(url, [text for _, text in texts["query"]]),
        {"accept": operation.accept, **own},
        None if body is None else write_body(operation.bodies, body),
        _repeatable(operation.method, own),
        options,
        security=operation.security,
    )


def with_query(url: str, parts: Sequence[str]) -> str:
    query = "&".join(part for part in parts if part)
    return url + ("&" if "?" in url else "?") + query if query else url


def request_of(
    settings: Settings,
    identity: Identity,
    operation: str,
    method: str,
    url: str,
    own: Mapping[str, str],
    body: tuple[str, bytes] | None,
    repeatable: Repeatable,
    options: RequestOptions,
    refuses: Callable[[Answer], bool] = lambda answer: False,
    security: Sequence[Sequence[str]] = (),
) -> Request:
    media_type, content = body or (None, None)
    headers = {
        "user-agent": identity.user_agent,
        **({} if media_type is None else {"content-type": media_type}),
        **own,
        **settings.headers,
        **options.get("headers", {}),
    }
    return Request(
        operation, method, url, headers, content, repeatable, options, refuses, security
    )


def read(
    identity: Identity, operation: Operation, answer: Answer, may_have_happened: bool
) -> Reply[Any, Any]:
    """The reply that an answer is, or the error of its status."""
    reads = _reads(operation, answer.status)
    # A delete that was carried out unheard finds nothing when it is sent again.
    if reads is None and operation.method == "DELETE" and answer.status == 404 and may_have_happened:
        reads = ("nothing", None)
    if reads is None:
        raise identity.refusal(operation.id, answer.status, parsed(answer.text), answer.headers)
    how, kind = reads
    if how == "any":
        how = _kind_of(answer)
    try:
        data: Any = None
        if how == "json":
            data = decode(kind, json.loads(answer.text))
        elif how != "nothing":
            data = answer.text if how == "text" else answer.content
    except ValueError as error:
        raise ApiConnectionError(operation.id, f"not what the contract says: {error}") from error
    return Reply(data, answer.status, answer.headers, operation.reply_headers)


def _reads(operation: Operation, status: int) -> tuple[str, Any] | None:
    by_range = operation.replies.get(f"{status // 100}XX")
    other = operation.replies.get("default") if status < 400 else None
    return operation.replies.get(status) or by_range or other


def _kind_of(answer: Answer) -> str:
    if not answer.content:
        return "nothing"
    media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type.endswith(("/json", "+json")):
        return "json"
    is_text = media_type.startswith("text/") or media_type.endswith(("/xml", "+xml"))
    return "text" if is_text else "binary"


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


class Position:
    """The latest write: what is read shows it, whichever server answers."""

    def __init__(self) -> None:
        self.headers: Mapping[str, str] = {}

    def look(self, headers: Mapping[str, str]) -> None:
        position = headers.get("accord-position", "")
        # Of two positions the greater text is the later.
        if position > self.headers.get("accord-position", ""):
            self.headers = {"accord-position": position}


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
