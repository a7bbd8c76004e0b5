"""Asks the runtime of the Python SDK what a test wants to know of its retries: JSON in, JSON out."""

import asyncio
import json
import random
import sys
import time
from types import ModuleType, SimpleNamespace

# The names of httpx that the runtime uses: this is about when it sends, and not how.
httpx = ModuleType("httpx")
httpx.TransportError = type("TransportError", (Exception,), {})
httpx.TimeoutException = type("TimeoutException", (httpx.TransportError,), {})
sys.modules["httpx"] = httpx

from runtime import _errors, _options, _request, _retry, _transport, _update  # noqa: E402
from runtime._parameters import Parameter  # noqa: E402

NOW = 1_794_744_000  # 2026-11-15T12:00:00Z
delays = []


async def sleep(seconds):
    delays.append(seconds)


random.random = lambda: 1.0
time.time = lambda: NOW
time.sleep = delays.append
asyncio.sleep = sleep


def delay(repeatable, status, retry_after, attempt, may_have_happened, most):
    outcome = _retry.Outcome(status, retry_after)
    return _retry.delay_before(repeatable, outcome, attempt, may_have_happened, most)


def repeatable(status):
    """What is sent again after a first attempt, and after one that may have been carried out."""
    kinds = ("any", "keyed", "versioned", "once")
    return [
        [kind for kind in kinds if delay(kind, status, None, 1, happened, 60) is not None]
        for happened in (False, True)
    ]


def uncertain(status):
    return _retry.Outcome(status).is_uncertain


def seconds(text):
    return _errors.seconds_of(text)


class Http:
    """Answers as planned: a status, with a Retry-After or without, "lost" or "late"."""

    def __init__(self, planned):
        self.planned, self.timeouts, self.keys = list(planned), [], []

    def answer(self, headers, timeout):
        self.timeouts.append(timeout)
        self.keys.append(headers.get("idempotency-key"))
        status, *retry_after = self.planned.pop(0)
        if status == "lost":
            raise httpx.TransportError("it was cut")
        if status == "late":
            raise httpx.TimeoutException("it took long")
        told = {"retry-after": each for each in retry_after}
        return SimpleNamespace(status_code=status, headers=told, content=b"a", encoding=None)

    def request(self, method, url, *, headers, content, timeout):
        return self.answer(headers, timeout)


class AsyncHttp(Http):
    async def request(self, method, url, *, headers, content, timeout):
        return self.answer(headers, timeout)


IDENTITY = _request.Identity("sky/1", "d", _errors.ApiError)
KEY = Parameter("key", "Idempotency-Key", "header", "simple", False)


def talk(method, planned, settings, options):
    """What a call comes to, and how it was sent: of both clients."""
    of_client = _options.Settings("http://x", **settings)
    replies = {200: ("text", None), 204: ("nothing", None)}
    parameters = [KEY] if method == "POST" else []
    operation = _request.Operation("it", method, "/it", "a/b", replies, parameters)

    def told(http, call):
        delays.clear()
        try:
            reply = call()
            found = [reply.status, reply.data]
        except (_errors.ApiError, _errors.ApiConnectionError) as error:
            found = [type(error).__name__, str(error)]
        return [*found, list(delays), http.timeouts, len({each for each in http.keys if each})]

    http, later = Http(planned), AsyncHttp(planned)
    plain = _transport.Transport(of_client, IDENTITY, None, http)
    waiting = _transport.AsyncTransport(of_client, IDENTITY, None, later)
    return [
        told(http, lambda: plain.call(operation, options)),
        told(later, lambda: asyncio.run(waiting.call(operation, options))),
    ]


def update(stale, status):
    """What an update comes to where so many writes are refused: of both clients."""
    counts = {"reads": 0, "writes": 0}

    def read():
        counts["reads"] += 1
        count = counts["reads"]
        return SimpleNamespace(data=count, headers=SimpleNamespace(etag=f'"{count}"'))

    def write(changed, etag):
        counts["writes"] += 1
        if counts["writes"] <= stale:
            raise _errors.ApiError("put", status, None, {})
        return [changed, etag]

    async def read_later():
        return read()

    async def write_later(changed, etag):
        return write(changed, etag)

    def told(call):
        counts.update(reads=0, writes=0)
        try:
            found = call()
        except _errors.ApiError as error:
            found = error.status
        return [found, counts["reads"], counts["writes"]]

    def change(current):
        return f"{current} changed"

    return [
        told(lambda: _update.update(read, write, change)),
        told(lambda: asyncio.run(_update.update_async(read_later, write_later, change))),
    ]


questions = {each.__name__: each for each in (delay, repeatable, uncertain, seconds, talk, update)}
told = {
    group: [questions[name](*given) for name, *given in asked]
    for group, asked in json.load(sys.stdin).items()
}
json.dump(told, sys.stdout)
