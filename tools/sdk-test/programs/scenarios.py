from __future__ import annotations

import asyncio
import inspect
import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

import httpx
from accord_sdk import (
    Accord,
    ApiConnectionError,
    ApiError,
    AsyncAccord,
    BookInput,
    BookReplacement,
    ContractMismatchWarning,
    GraphqlRequestError,
)
from accord_sdk._wire import encode

_, base_url, action, mode = sys.argv
is_async = mode == "async"
client = AsyncAccord if is_async else Accord
accord: Any = client(base_url)
ubik = BookInput(title="Ubik", pages=202)
replacement = BookReplacement(title="Ubik", pages=202)
tokens = 0


def next_token() -> str:
    global tokens
    tokens += 1
    return f"token-{tokens}"


async def done(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def taken(pages: Any, most: int) -> list[int]:
    ids: list[int] = []
    if is_async:
        async for book in pages:
            ids.append(book.id)
            if len(ids) == most:
                break
    else:
        for book in pages:
            ids.append(book.id)
            if len(ids) == most:
                break
    return ids


async def create_twice() -> int:
    made = [await done(accord.books.create(ubik)), await done(accord.books.create(ubik))]
    return len(made)


async def get_twice() -> Any:
    await done(accord.books.get(2))
    return await done(accord.books.get(2))


async def count() -> int:
    return len(await done(accord.books.list()))


async def cancel() -> None:
    """Once the first answer is there, the SDK waits for what it says."""
    answered = asyncio.Event()

    async def note(_: httpx.Response) -> None:
        answered.set()

    http = httpx.AsyncClient(event_hooks={"response": [note]})
    call = asyncio.create_task(AsyncAccord(base_url, http_client=http).books.get(2))
    await answered.wait()
    await asyncio.sleep(0.1)
    call.cancel()
    await call


ACTIONS: dict[str, Callable[[], Any]] = {
    "get": lambda: accord.books.get(2),
    "list": count,
    "get quickly": lambda: accord.books.get(2, timeout=3.0),
    "create something invalid": lambda: accord.books.create(BookInput(title="", pages=1)),
    "create": lambda: accord.books.create(ubik),
    "create quickly": lambda: accord.books.create(ubik, timeout=3.0),
    "create twice": create_twice,
    "replace": lambda: accord.books.replace(2, replacement),
    "replace a version": lambda: accord.books.replace(2, replacement, if_match='"1"'),
    "delete": lambda: accord.books.delete(2),
    "delete nothing": lambda: accord.books.delete(2000),
    "update": lambda: accord.books.update(
        2, lambda book: BookReplacement(title=book.title, pages=book.pages + 1)
    ),
    "query": lambda: accord.graphql.book(id="2"),
    "mutate": lambda: accord.graphql.add_todo(title="Once"),
    "mutate in vain": lambda: accord.graphql.add_comment(post_id="2000", body="Hello?"),
    "iterate": lambda: taken(accord.books.iterate(limit=1), 100),
    "iterate in part": lambda: taken(accord.books.iterate(limit=1), 1),
    "cancel": cancel,
    "get with tokens": lambda: client(base_url, token=next_token).books.get(2),
    "get twice": get_twice,
}


def told(error: Exception) -> dict[str, Any]:
    if isinstance(error, ApiConnectionError):
        return {"error": "ConnectionError"}
    if isinstance(error, GraphqlRequestError):
        return {"error": f"{type(error).__name__} {error.code}", "status": error.status}
    if isinstance(error, ApiError):
        told = {"error": type(error).__name__, "status": error.status}
        return told if error.retry_after is None else {**told, "retryAfter": error.retry_after}
    return {"error": repr(error)}


async def main() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome: dict[str, Any] = {"ok": encode(await done(ACTIONS[action]()))}
        except asyncio.CancelledError:
            outcome = {"error": "cancelled"}
        except Exception as error:
            outcome = told(error)
    mismatches = [each for each in caught if each.category is ContractMismatchWarning]
    print(json.dumps({**outcome, "warnings": len(mismatches)}))


asyncio.run(main())
