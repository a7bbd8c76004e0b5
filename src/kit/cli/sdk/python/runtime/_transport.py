"""Sends requests, and sends them again where that is safe."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Mapping
from typing import Any

import httpx

from ._credentials import carry, choose
from ._errors import ApiConnectionError, ApiTimeoutError
from ._options import AsyncToken, RequestOptions, Settings, Token
from ._request import (
    Answer,
    DigestWatch,
    Identity,
    Operation,
    Position,
    Reply,
    Request,
    prepare,
    read,
)
from ._retry import delay_before


class Transport:
    def __init__(
        self,
        settings: Settings,
        identity: Identity,
        token: Token | None,
        http: httpx.Client,
        credentials: Mapping[str, object] | None = None,
    ) -> None:
        self.settings = settings
        self.identity = identity
        self._token = token
        self._http = http
        self._credentials = credentials or {}
        self._watch = DigestWatch(identity)
        self._position = Position()

    def call(
        self,
        operation: Operation,
        options: RequestOptions,
        *,
        body: object = None,
        given: Mapping[str, object] = {},
    ) -> Reply[Any, Any]:
        request = prepare(self.settings, self.identity, operation, body, given, options)
        answer, may_have_happened = self.send(request)
        return read(self.identity, operation, answer, may_have_happened)

    def send(self, request: Request) -> tuple[Answer, bool]:
        """The answer of the last attempt, and whether an earlier one may have been carried out."""
        may_have_happened = False
        attempt = 0
        while True:
            attempt += 1
            answer, failure = None, None
            try:
                answer = self._attempt(request)
            except ApiConnectionError as error:
                failure = error
            delay = _delay(self.settings, request, answer, attempt, may_have_happened)
            if delay is None:
                if answer is None:
                    raise failure or AssertionError("an attempt ends with an answer or without")
                return answer, may_have_happened
            may_have_happened = may_have_happened or request.outcome(answer).is_uncertain
            time.sleep(delay)

    def _attempt(self, request: Request) -> Answer:
        known = choose(
            self.identity.schemes, request.security, self._credentials, self._token
        )
        chosen = [(scheme, each() if callable(each) else each) for scheme, each in known]
        url, headers = request.carrying(carry(chosen), self._position.headers)
        timeout = request.options.get("timeout", self.settings.timeout)
        try:
            response = self._http.request(
                request.method,
                url,
                headers=headers,
                content=request.content,
                timeout=timeout,
            )
        except httpx.TimeoutException as error:
            raise ApiTimeoutError(request.operation, timeout) from error
        except httpx.TransportError as error:
            raise ApiConnectionError(request.operation, str(error)) from error
        self._watch.look(response.headers)
        self._position.look(response.headers)
        return Answer(
            response.status_code, response.headers, response.content, response.encoding or "utf-8"
        )

    def close(self) -> None:
        self._http.close()


class AsyncTransport:
    def __init__(
        self,
        settings: Settings,
        identity: Identity,
        token: AsyncToken | None,
        http: httpx.AsyncClient,
        credentials: Mapping[str, object] | None = None,
    ) -> None:
        self.settings = settings
        self.identity = identity
        self._token = token
        self._http = http
        self._credentials = credentials or {}
        self._watch = DigestWatch(identity)
        self._position = Position()

    async def call(
        self,
        operation: Operation,
        options: RequestOptions,
        *,
        body: object = None,
        given: Mapping[str, object] = {},
    ) -> Reply[Any, Any]:
        request = prepare(self.settings, self.identity, operation, body, given, options)
        answer, may_have_happened = await self.send(request)
        return read(self.identity, operation, answer, may_have_happened)

    async def send(self, request: Request) -> tuple[Answer, bool]:
        """The answer of the last attempt, and whether an earlier one may have been carried out."""
        may_have_happened = False
        attempt = 0
        while True:
            attempt += 1
            answer, failure = None, None
            try:
                answer = await self._attempt(request)
            except ApiConnectionError as error:
                failure = error
            delay = _delay(self.settings, request, answer, attempt, may_have_happened)
            if delay is None:
                if answer is None:
                    raise failure or AssertionError("an attempt ends with an answer or without")
                return answer, may_have_happened
            may_have_happened = may_have_happened or request.outcome(answer).is_uncertain
            await asyncio.sleep(delay)

    async def _attempt(self, request: Request) -> Answer:
        chosen = []
        for scheme, each in choose(
            self.identity.schemes, request.security, self._credentials, self._token
        ):
            secret = each() if callable(each) else each
            chosen.append((scheme, await secret if inspect.isawaitable(secret) else secret))
        url, headers = request.carrying(carry(chosen), self._position.headers)
        timeout = request.options.get("timeout", self.settings.timeout)
        try:
            response = await self._http.request(
                request.method,
                url,
                headers=headers,
                content=request.content,
                timeout=timeout,
            )
        except httpx.TimeoutException as error:
            raise ApiTimeoutError(request.operation, timeout) from error
        except httpx.TransportError as error:
            raise ApiConnectionError(request.operation, str(error)) from error
        self._watch.look(response.headers)
        self._position.look(response.headers)
        return Answer(
            response.status_code, response.headers, response.content, response.encoding or "utf-8"
        )

    async def close(self) -> None:
        await self._http.aclose()


def _delay(
    settings: Settings,
    request: Request,
    answer: Answer | None,
    attempt: int,
    may_have_happened: bool,
) -> float | None:
    if attempt > request.options.get("retries", settings.retries):
        return None
    outcome = request.outcome(answer)
    return delay_before(
        request.repeatable, outcome, attempt, may_have_happened, settings.max_delay
    )
