"""What of a failure is the contract's, or a mock's nature, and not the server's: one rule each, with its reason."""

import json
import os
from collections import Counter

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData, UndefinedStatusCode
from schemathesis.core.failures import ServerError

excluded = Counter()


def is_mocked(response):
    return "accord-mock" in response.headers


def is_kits(response):
    """A refusal in the kit's own shape."""
    return response.content.startswith(b'{"type":"urn:accord:problem:')


# Name, reason, and which failures it is about.
RULES = [
    (
        "undeclared refusal",
        "the contract does not declare the 400, 401, 404 or 413 that the kit must answer",
        lambda failure, response: isinstance(failure, UndefinedStatusCode) and is_kits(response),
    ),
    (
        "no success declared",
        "the contract declares only errors or redirections for the operation, so its mock answers with one",
        lambda failure, response: isinstance(failure, (RejectedPositiveData, ServerError)) and is_mocked(response),
    ),
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    for name, _, is_about in RULES:
        if is_about(failure, response):
            excluded[name] += 1
            return False
    return True
