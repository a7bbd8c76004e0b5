"""Bodies as they are sent."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import unquote, urlencode

from ._parameters import Parameter, parameter_text
from ._wire import encode

MediaType = TypeVar("MediaType", bound=str, covariant=True)
Content = TypeVar("Content", covariant=True)


class MediaBody(Generic[MediaType, Content]):
    """A body of another media type than the one that the operation takes first."""

    def __init__(self, media_type: MediaType, content: Content) -> None:
        self.media_type = media_type
        self.content = content


class Upload:
    """A file of a form, with its name."""

    def __init__(
        self, content: bytes, name: str = "file", media_type: str = "application/octet-stream"
    ) -> None:
        self.content = content
        self.name = name
        self.media_type = media_type


@dataclass(frozen=True)
class BodyForm:
    """How the bodies of a media type are written."""

    media_type: str
    kind: Literal["json", "form", "multipart", "text", "binary"]
    encoding: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    """The style of each field of a form, and whether it is exploded."""


def write_body(forms: Sequence[BodyForm], value: Any) -> tuple[str, bytes]:
    """The media type of a body, and its bytes."""
    form = forms[0]
    media_type, content = form.media_type, value
    if isinstance(value, MediaBody):
        media_type, content = value.media_type, value.content
        form = next(each for each in forms if _is_of(media_type, each.media_type))
    if form.kind == "form":
        return media_type, urlencode(_fields(form, content)).encode()
    if form.kind == "multipart":
        return _multipart(media_type, _fields(form, content))
    if form.kind in ("text", "binary"):
        return media_type, content.encode() if isinstance(content, str) else bytes(content)
    return media_type, json.dumps(encode(content), ensure_ascii=False).encode()


def _is_of(media_type: str, declared: str) -> bool:
    if declared in (media_type, "*/*"):
        return True
    return declared.endswith("/*") and media_type.startswith(declared[:-1])


def _fields(form: BodyForm, value: Any) -> list[tuple[str, Any]]:
    """Lists one by one and objects as JSON, unless the contract has a style for the field."""
    fields: list[tuple[str, Any]] = []
    for name, each in encode(value).items():
        if each is None:
            continue
        if name in form.encoding and isinstance(each, (dict, list)):
            style, explode = form.encoding[name]
            text = parameter_text(Parameter(name, name, "query", style, explode), each)
            pairs = [pair.partition("=") for pair in text.split("&")]
            fields += [(unquote(key), unquote(part)) for key, _, part in pairs]
        else:
            fields += [(name, _plain(item)) for item in (each if isinstance(each, list) else [each])]
    return fields


def _plain(value: Any) -> Any:
    if isinstance(value, (bytes, Upload, str)):
        return value
    return json.dumps(value)


def _multipart(media_type: str, fields: Sequence[tuple[str, Any]]) -> tuple[str, bytes]:
    boundary = secrets.token_hex(16)
    parts: list[bytes] = []
    for name, value in fields:
        file = Upload(value) if isinstance(value, bytes) else value
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(name)}"'
        if isinstance(file, Upload):
            head += f'; filename="{_quoted(file.name)}"\r\nContent-Type: {file.media_type}'
            content = file.content
        else:
            content = str(file).encode()
        parts.append(head.encode() + b"\r\n\r\n" + content + b"\r\n")
    end = f"--{boundary}--\r\n".encode()
    return f"{media_type}; boundary={boundary}", b"".join(parts) + end


def _quoted(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
