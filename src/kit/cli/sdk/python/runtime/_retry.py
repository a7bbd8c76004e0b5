"""When a request is sent again."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from ._errors import seconds_of

Repeatable = Literal["any", "keyed", "versioned", "once"]
"""How often a request may be carried out.

- any: it changes nothing, or the same again
- keyed: a POST whose Idempotency-Key keeps the server from carrying it out twice
- versioned: a write held to a version. Sent again after it was carried out, it would be refused as
  if somebody else had written, so it is not sent again once that is possible
- once: everything else
"""

_BASE_DELAY = 0.2
_LONGEST_BACKOFF = 8.0
_UNCERTAIN = (408, 502, 504)


@dataclass(frozen=True)
class Outcome:
    """What came of one attempt: no status when there was no answer."""

    status: int | None
    retry_after: str | None = None

    @property
    def is_uncertain(self) -> bool:
        """Whether the server may have carried the request out although nobody said so."""
        return self.status is None or self.status in _UNCERTAIN


def delay_before(
    repeatable: Repeatable,
    outcome: Outcome,
    attempt: int,
    may_have_happened: bool,
    max_delay: float,
) -> float | None:
    """After how many seconds to try again; None when that is not safe or has no prospect."""
    if repeatable == "once" or not _is_transient(repeatable, outcome, may_have_happened):
        return None
    seconds = seconds_of(outcome.retry_after)
    if seconds is None:
        seconds = random.random() * min(_LONGEST_BACKOFF, _BASE_DELAY * 2.0 ** (attempt - 1))
    return seconds if seconds <= max_delay else None


def _is_transient(repeatable: Repeatable, outcome: Outcome, may_have_happened: bool) -> bool:
    if outcome.is_uncertain:
        return repeatable != "versioned"
    if outcome.status == 409:
        # The twin of this request, sent before it, may still be on its way.
        return repeatable == "keyed" and may_have_happened
    return outcome.status in (429, 503)
