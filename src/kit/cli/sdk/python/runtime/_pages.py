"""All records of a list, fetched page by page as they are asked for."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

from ._request import Reply

Item = TypeVar("Item")
Page = Callable[[dict[str, Any]], Reply[list[Item], Any]]
AsyncPage = Callable[[dict[str, Any]], Awaitable[Reply[list[Item], Any]]]


class PagedList(Generic[Item]):
    """Iterates over all of them; `pages()` gives a page at a time."""

    def __init__(self, fetch: Page[Item], first: dict[str, Any]) -> None:
        self._fetch = fetch
        self._first = first

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page

    def pages(self) -> Iterator[list[Item]]:
        query: dict[str, Any] | None = self._first
        while query is not None:
            reply = self._fetch(query)
            yield reply.data
            query = next_query(reply.raw_headers.get("link"))


class AsyncPagedList(Generic[Item]):
    """Iterates over all of them; `pages()` gives a page at a time."""

    def __init__(self, fetch: AsyncPage[Item], first: dict[str, Any]) -> None:
        self._fetch = fetch
        self._first = first

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page:
                yield item

    async def pages(self) -> AsyncIterator[list[Item]]:
        query: dict[str, Any] | None = self._first
        while query is not None:
            reply = await self._fetch(query)
            yield reply.data
            query = next_query(reply.raw_headers.get("link"))


def next_query(link: str | None) -> dict[str, Any] | None:
    """Of a link only the query counts: it is the same list, wherever the server is reached."""
    for target, parameters in re.findall(r"<([^>]*)>([^<]*)", link or ""):
        if re.search(r';\s*rel="?next"?', parameters, re.IGNORECASE):
            return dict(parse_qsl(urlsplit(target).query))
    return None
