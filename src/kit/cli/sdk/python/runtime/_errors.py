"""What a call can fail with, whatever the contract."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any


class ApiError(Exception):
    """The server answered, and not with what was asked for."""

    def __init__(
        self, operation: str, status: int, problem: Any, headers: Mapping[str, str]
    ) -> None:
        super().__init__(f"{operation} was answered with {status}{_told(problem)}")
        self.operation = operation
        self.status = status
        self.problem = problem
        self.headers = headers

    @property
    def request_id(self) -> str | None:
        """What the server calls the request in its log, where it says so."""
        return self.headers.get("x-request-id")

    @property
    def retry_after(self) -> float | None:
        """After how many seconds the server wants to be asked again, where it says so."""
        return seconds_of(self.headers.get("retry-after"))


class ApiConnectionError(Exception):
    """There was no answer, or not all of it: whether a write was carried out is not known."""

    def __init__(self, operation: str, reason: str) -> None:
        super().__init__(f"{operation} got no answer: {reason}")
        self.operation = operation


class ApiTimeoutError(ApiConnectionError):
    """There was no answer in time: whether a write was carried out is not known."""

    def __init__(self, operation: str, seconds: float) -> None:
        super().__init__(operation, f"none within {seconds} s")
        self.seconds = seconds


class ContractMismatchWarning(UserWarning):
    """The server enforces other contracts than this SDK was made from."""


def seconds_of(retry_after: str | None) -> float | None:
    """What a Retry-After comes to in seconds: it is a number of them or a date."""
    if retry_after is None:
        return None
    if re.fullmatch(r"\d+", retry_after.strip()):
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return None


def _told(problem: Any) -> str:
    detail = getattr(problem, "detail", None) or getattr(problem, "title", None)
    errors = getattr(problem, "errors", None) or []
    parts = ", ".join(f"{each.path} {each.message}" for each in errors)
    text = " ".join(part for part in (detail, parts) if part)
    return f": {text}" if text else ""
