"""Rules, as in src/kit/cli/test/rules.py, for faults of single contracts."""

import re

from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData, UndefinedContentType

from rules import says

CONTRACT_RULES = [
    (
        "error without a possible body",
        "the contract declares the error as a oneOf of schemas that admit the same values",
        lambda failure, case, response: isinstance(failure, UndefinedContentType)
        and case.operation.schema.raw_schema["info"]["title"] == "Legacy API"
        and response.status_code in (400, 401),
    ),
    (
        "unknown pattern",
        "schemathesis makes any text for a pattern that Python cannot read",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and case.operation.label == "GET /anything/strings"
        and says(response, "must match pattern"),
    ),
    (
        "discriminator",
        "a name that the mapping of a discriminator gives another name is not one of its values",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and case.operation.label == "PATCH /mapping-of-schema-names"
        and says(response, "must be equal to one of the allowed values"),
    ),
    (
        "discriminator without its member",
        "the member that a discriminator names tells which schema is meant; without it none is",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and case.operation.label == "PATCH /improper-discriminator-placement"
        and says(response, "is required"),
    ),
    (
        "several names of one schema",
        "a mapping gives a schema several names, of which schemathesis knows one",
        lambda failure, case, response: isinstance(failure, AcceptedNegativeData)
        and case.operation.label == "PATCH /mapping-with-duplicate-schemas"
        and "violates `enum`" in failure.message,
    ),
    (
        "format that nobody knows",
        "JSON Schema lets a format that is not known pass",
        lambda failure, case, response: isinstance(failure, AcceptedNegativeData)
        and "violates `format` at /properties/unknown-format" in failure.message,
    ),
    (
        "text of a list or an object",
        "`AAA` is a list of one text; of `,AAA` the name is empty, which the schema of the object admits",
        lambda failure, case, response: isinstance(failure, AcceptedNegativeData)
        and re.search(r"parameters? `(array|object)`(, `(array|object)`)? in path", failure.message),
    ),
]
