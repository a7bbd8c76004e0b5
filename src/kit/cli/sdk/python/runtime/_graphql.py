"""Sends operations to the GraphQL endpoint."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Unpack, overload

from ._errors import ApiConnectionError
from ._options import RequestOptions, Settings
from ._request import Answer, Identity, Request, parsed, request_of
from ._transport import AsyncTransport, Transport
from ._wire import decode

Result = TypeVar("Result")


@dataclass(frozen=True)
class TypedDocument(Generic[Result]):
    """The text of an operation, with the type of what it selects."""

    text: str
    result: type[Result]


@dataclass(frozen=True)
class GraphqlFault:
    """One thing that went wrong with an operation."""

    message: str
    code: str | None
    path: list[str | int]


class GraphqlRequestError(Exception):
    """An operation was refused, or parts of it failed."""

    def __init__(self, operation: str, status: int, errors: list[GraphqlFault], data: Any) -> None:
        super().__init__(f"{operation}: {', '.join(each.message for each in errors)}")
        self.operation = operation
        self.status = status
        self.errors = errors
        self.data = data
        """What was found all the same."""

    @property
    def code(self) -> str | None:
        """The code of the first error, such as NOT_FOUND."""
        return self.errors[0].code if self.errors else None


class GraphqlEndpoint:
    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path

    @overload
    def execute(
        self,
        document: TypedDocument[Result],
        variables: Mapping[str, object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> Result: ...

    @overload
    def execute(
        self,
        document: str,
        variables: Mapping[str, object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> dict[str, Any]: ...

    def execute(
        self,
        document: Any,
        variables: Mapping[str, object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> Any:
        """Executes a document; a typed one decides what the result is like."""
        transport = self._transport
        request = _request(
            transport.settings, transport.identity, self._path, document, variables, options
        )
        answer, _ = transport.send(request)
        return _result(request.operation, document, answer)


class AsyncGraphqlEndpoint:
    def __init__(self, transport: AsyncTransport, path: str) -> None:
        self._transport = transport
        self._path = path

    @overload
    async def execute(
        self,
        document: TypedDocument[Result],
        variables: Mapping[str, object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> Result: ...

    @overload
    async def execute(
        self,
        document: str,
        variables: Mapping[str, object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> dict[str, Any]: ...

    async def execute(
        self,
        document: Any,
        variables: Mapping[str, object] | None = None,
        **options: Unpack[RequestOptions],
    ) -> Any:
        """Executes a document; a typed one decides what the result is like."""
        transport = self._transport
        request = _request(
            transport.settings, transport.identity, self._path, document, variables, options
        )
        answer, _ = await transport.send(request)
        return _result(request.operation, document, answer)


def _request(
    settings: Settings,
    identity: Identity,
    path: str,
    document: TypedDocument[Any] | str,
    variables: Mapping[str, object] | None,
    options: RequestOptions,
) -> Request:
    text = document if isinstance(document, str) else document.text
    name = re.search(r"\b(?:query|mutation)\s+(\w+)", text)
    # A mutation has no key: sent twice it might be carried out twice. The word is looked for in the
    # whole text, so that a document that merely speaks of mutations is not repeated either.
    is_read = re.search(r"\b(mutation|subscription)\b", text) is None
    body = {"query": text, **({} if variables is None else {"variables": dict(variables)})}
    return request_of(
        settings,
        identity,
        name.group(1) if name else "the operation",
        "POST",
        settings.base_url.rstrip("/") + path,
        {"accept": "application/graphql-response+json, application/json"},
        ("application/json", json.dumps(body, ensure_ascii=False).encode()),
        "any" if is_read else "once",
        options,
        _is_unavailable,
    )


def _result(operation: str, document: TypedDocument[Any] | str, answer: Answer) -> Any:
    result = parsed(answer.text)
    if not isinstance(result, dict) or not ("data" in result or "errors" in result):
        raise ApiConnectionError(operation, f"{answer.status} without a GraphQL result")
    data = result.get("data")
    if "errors" in result:
        faults = [_fault(each) for each in result["errors"]]
        raise GraphqlRequestError(operation, answer.status, faults, data)
    if isinstance(document, str):
        return data
    try:
        return decode(document.result, data)
    except ValueError as error:
        raise ApiConnectionError(operation, f"not what the contract says: {error}") from error


def _fault(error: Mapping[str, Any]) -> GraphqlFault:
    code = error.get("extensions", {}).get("code")
    return GraphqlFault(error["message"], code, error.get("path", []))


def _is_unavailable(answer: Answer) -> bool:
    if "UNAVAILABLE" not in answer.text:
        return False
    result = parsed(answer.text)
    errors = result.get("errors", []) if isinstance(result, dict) else []
    return any(_fault(each).code == "UNAVAILABLE" for each in errors)
