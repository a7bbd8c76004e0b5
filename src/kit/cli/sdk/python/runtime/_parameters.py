"""How the contract writes parameters as text (RFC 6570, and OpenAPI for deepObject)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

_DELIMITERS = {"spaceDelimited": "%20", "pipeDelimited": "|"}


@dataclass(frozen=True)
class Parameter:
    key: str
    """What the SDK calls it."""
    name: str
    place: Literal["path", "query", "header", "cookie"]
    style: str
    explode: bool
    is_json: bool = False
    is_reserved: bool = False


def parameter_text(form: Parameter, value: Any) -> str:
    """The text of a value from JSON; in a query and a cookie it has its names."""
    encode = _encoder(form)
    is_named = form.place in ("query", "cookie")
    name = encode(form.name)
    if form.is_json or not isinstance(value, (dict, list)):
        text = encode(json.dumps(value) if form.is_json else value)
        if form.style == "label":
            return f".{text}"
        if form.style == "matrix":
            return f";{name}={text}" if text else f";{name}"
        return f"{name}={text}" if is_named else text
    if form.style == "deepObject" and isinstance(value, dict):
        return "&".join(_deep(form.name, value, encode))
    pairs = [f"{encode(key)}={encode(each)}" for key, each in value.items()] if isinstance(value, dict) else None
    flat_items = [part for pair in value.items() for part in pair] if isinstance(value, dict) else value
    items = [encode(each) for each in flat_items]
    flat = _DELIMITERS.get(form.style, ",").join(items)
    if form.style == "label":
        return "".join(f".{part}" for part in (pairs or items)) if form.explode else f".{flat}"
    if form.style == "matrix":
        if not form.explode:
            return f";{name}={flat}"
        return "".join(f";{part}" for part in (pairs or [f"{name}={item}" for item in items]))
    if is_named and form.explode:
        named = [f"{name}={item}" for item in items] if pairs is None else pairs
        return ("; " if form.place == "cookie" else "&").join(named)
    if form.explode and pairs is not None:
        return ",".join(pairs)
    return (f"{name}={flat}" if flat else "") if is_named else flat


def _encoder(form: Parameter) -> Callable[[Any], str]:
    if form.place == "header":
        return _text
    safe = ":/?@!$&'()*+,;=" if form.is_reserved else ""
    return lambda part: quote(_text(part), safe=safe)


def _deep(name: str, value: Mapping[str, Any], encode: Callable[[Any], str]) -> list[str]:
    parts: list[str] = []
    for key, each in value.items():
        inner = f"{name}[{key}]"
        if isinstance(each, dict):
            parts += _deep(inner, each, encode)
        else:
            items = each if isinstance(each, list) else [each]
            parts += [f"{encode(inner)}={encode(item)}" for item in items]
    return parts


def _text(value: Any) -> str:
    if isinstance(value, (bool, dict, list)) or value is None:
        return json.dumps(value)
    return str(value)
