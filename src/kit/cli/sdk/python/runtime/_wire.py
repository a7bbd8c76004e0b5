"""Between dataclasses and JSON."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints


@dataclasses.dataclass(frozen=True)
class Discriminator:
    """The member whose value tells which class of a union an object is."""

    member: str
    classes: Mapping[str, str]

    def __hash__(self) -> int:
        return hash(self.member)


def encode(value: Any) -> Any:
    """A value as JSON has it; an optional field that is None is left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found: dict[str, Any] = {}
        for name, known in _fields(type(value)).items():
            each = getattr(value, name)
            if known.is_rest:
                found.update({key: encode(one) for key, one in each.items()})
            elif not (known.is_optional and each is None):
                found[known.wire] = encode(each)
        return found
    if isinstance(value, dict):
        return {key: encode(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(each) for each in value]
    return value


def decode(kind: Any, value: Any, strict: bool = False) -> Any:
    """JSON as a value of a type; what the type does not know is left out, so that servers can grow.

    Strictly, what it does not know is an error.
    """
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _decode_fields(kind, value, strict)
    if origin is Annotated:
        return _decode_annotated(kind, value, strict)
    if origin is list:
        if not isinstance(value, list):
            raise ValueError(f"{value!r} is not a list")
        (item,) = get_args(kind)
        return [decode(item, each, strict) for each in value]
    if origin is dict:
        if not isinstance(value, dict):
            raise ValueError(f"{value!r} is not an object")
        _, item = get_args(kind)
        return {key: decode(item, each, strict) for key, each in value.items()}
    if origin in (Union, types.UnionType):
        return _decode_union(get_args(kind), value, strict)
    if origin is Literal and strict and value not in get_args(kind):
        raise ValueError(f"{value!r} is none of {get_args(kind)}")
    if kind in (int, str, bool, float) and not _is_plain(kind, value):
        raise ValueError(f"{value!r} is not {kind.__name__}")
    if kind in (None, type(None)) and value is not None:
        raise ValueError(f"{value!r} is not null")
    return value


def _is_plain(kind: Any, value: Any) -> bool:
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    # In Python a boolean is a number, in JSON it is none.
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _decode_annotated(kind: Any, value: Any, strict: bool) -> Any:
    union, *notes = get_args(kind)
    for note in notes:
        if isinstance(note, Discriminator) and isinstance(value, dict):
            name = note.classes.get(str(value.get(note.member)))
            for option in get_args(union):
                if name is not None and getattr(option, "__name__", None) == name:
                    return decode(option, value, strict)
    return decode(union, value, strict)


def _decode_union(options: tuple[Any, ...], value: Any, strict: bool) -> Any:
    if value is None and type(None) in options:
        return None
    # The option that fits without loss comes before one that merely fits.
    for must_fit in (True, False):
        for option in options:
            if option is type(None) or (get_origin(option) is Literal and not must_fit):
                continue
            try:
                return decode(option, value, strict or must_fit)
            except ValueError:
                continue
    if any(get_origin(option) is Literal for option in options) and not strict:
        return value
    raise ValueError(f"{value!r} is none of the types that the contract has for it")


def _decode_fields(kind: type[Any], value: Any, strict: bool) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is not an object")
    fields = _fields(kind)
    wires = {known.wire for known in fields.values() if not known.is_rest}
    others = {key: each for key, each in value.items() if key not in wires}
    given: dict[str, Any] = {}
    for name, known in fields.items():
        if known.is_rest:
            given[name] = decode(known.hint, others, strict)
        elif known.wire in value:
            given[name] = decode(known.hint, value[known.wire], strict)
        elif not known.is_optional:
            raise ValueError(f"{kind.__name__} lacks {known.wire}")
    if strict and others and not any(known.is_rest for known in fields.values()):
        raise ValueError(f"{kind.__name__} has no {', '.join(others)}")
    return kind(**given)


@dataclasses.dataclass(frozen=True)
class _Field:
    wire: str
    """What JSON calls it."""
    is_optional: bool
    is_rest: bool
    hint: Any


_KNOWN: dict[Any, dict[str, _Field]] = {}


def _fields(kind: type[Any]) -> dict[str, _Field]:
    """The fields of a dataclass."""
    if kind not in _KNOWN:
        _KNOWN[kind] = _read_fields(kind)
    return _KNOWN[kind]


def _read_fields(kind: type[Any]) -> dict[str, _Field]:
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: _Field(
            field.metadata.get("wire", field.name),
            field.default is not dataclasses.MISSING,
            field.metadata.get("rest", False),
            hints[field.name],
        )
        for field in dataclasses.fields(kind)
    }
