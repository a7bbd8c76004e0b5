"""Credentials by the names of the contract's security schemes."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote


@dataclass(frozen=True)
class Scheme:
    """How a security scheme carries credentials."""

    kind: Literal["key", "basic", "bearer"]
    place: Literal["header", "query", "cookie"] = "header"
    name: str = "authorization"


@dataclass
class Carried:
    """What credentials add to a request."""

    headers: dict[str, str] = field(default_factory=dict)
    query: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)


def choose(
    schemes: Mapping[str, Scheme],
    alternatives: Sequence[Sequence[str]],
    given: Mapping[str, Any],
    token: Any,
) -> list[tuple[Scheme, Any]]:
    """The first alternative that credentials are there for; else the token, if there is one."""
    known = {
        name: given.get(name) or (token if scheme.kind == "bearer" else None)
        for name, scheme in schemes.items()
    }
    for names in alternatives:
        if names and all(known.get(name) is not None for name in names):
            return [(schemes[name], known[name]) for name in names]
    return [] if token is None else [(Scheme("bearer"), token)]


def carry(chosen: Sequence[tuple[Scheme, Any]]) -> Carried:
    """What is sent of credentials that are no functions any more."""
    carried = Carried()
    for scheme, credential in chosen:
        if credential is None:
            continue
        if scheme.kind == "basic":
            pair = ":".join(credential).encode()
            carried.headers["authorization"] = f"Basic {base64.b64encode(pair).decode()}"
        elif scheme.kind == "bearer":
            carried.headers["authorization"] = f"Bearer {credential}"
        elif scheme.place == "header":
            carried.headers[scheme.name.lower()] = credential
        elif scheme.place == "cookie":
            carried.cookies.append(f"{scheme.name}={quote(credential, safe='')}")
        else:
            carried.query.append(f"{quote(scheme.name, safe='')}={quote(credential, safe='')}")
    return carried
