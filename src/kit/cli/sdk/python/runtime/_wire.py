"""Between dataclasses and JSON."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def encode(value: Any) -> Any:
    """A value as JSON has it; an optional field that is None is left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            wire: encode(getattr(value, name))
            for name, (wire, is_optional, _) in _fields(type(value)).items()
            if not (is_optional and getattr(value, name) is None)
        }
    if isinstance(value, dict):
        return {key: encode(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(each) for each in value]
    return value


def decode(kind: Any, value: Any) -> Any:
    """JSON as a value of a type; what the type does not know is left out, so that servers can grow."""
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _decode_fields(kind, value)
    if origin is list:
        if not isinstance(value, list):
            raise ValueError(f"{value!r} is not a list")
        (item,) = get_args(kind)
        return [decode(item, each) for each in value]
    if origin is dict and isinstance(value, dict):
        _, item = get_args(kind)
        return {key: decode(item, each) for key, each in value.items()}
    if origin in (Union, types.UnionType):
        return _decode_union(get_args(kind), value)
    if kind in (int, str, bool, float) and not _is_plain(kind, value):
        raise ValueError(f"{value!r} is not {kind.__name__}")
    return value


def _is_plain(kind: Any, value: Any) -> bool:
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    # In Python a boolean is a number, in JSON it is none.
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _decode_union(options: tuple[Any, ...], value: Any) -> Any:
    if value is None and type(None) in options:
        return None
    for option in options:
        if option is type(None) or get_origin(option) is Literal:
            continue
        try:
            return decode(option, value)
        except ValueError:
            continue
    if any(get_origin(option) is Literal for option in options):
        return value
    raise ValueError(f"{value!r} is none of the types that the contract has for it")


def _decode_fields(kind: type[Any], value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is not an object")
    given = {}
    for name, (wire, is_optional, hint) in _fields(kind).items():
        if wire in value:
            given[name] = decode(hint, value[wire])
        elif not is_optional:
            raise ValueError(f"{kind.__name__} lacks {wire}")
    return kind(**given)


_KNOWN: dict[Any, dict[str, tuple[str, bool, Any]]] = {}


def _fields(kind: type[Any]) -> dict[str, tuple[str, bool, Any]]:
    """The fields of a dataclass: what JSON calls them, whether they may be absent, their types."""
    if kind not in _KNOWN:
        _KNOWN[kind] = _read_fields(kind)
    return _KNOWN[kind]


def _read_fields(kind: type[Any]) -> dict[str, tuple[str, bool, Any]]:
    hints = get_type_hints(kind)
    return {
        field.name: (
            field.metadata.get("wire", field.name),
            field.default is not dataclasses.MISSING,
            hints[field.name],
        )
        for field in dataclasses.fields(kind)
    }
