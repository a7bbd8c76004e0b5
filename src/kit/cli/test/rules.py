"""
Failures that are the contract's fault, or a decision of the kit, and not a fault of the server: one rule each, with its
reason. A rule is given the failure, the case and the response.
"""

import json
import re
from urllib.parse import parse_qsl, unquote, urlsplit

from schemathesis.core.failures import AcceptedNegativeData, ServerError
from schemathesis.graphql.checks import GraphQLClientError, GraphQLServerError
from schemathesis.openapi.checks import (
    IgnoredAuth,
    MissingHeaderNotRejected,
    RejectedPositiveData,
    UndefinedStatusCode,
)

LARGEST = 2**53 - 1
# Which parameters OpenAPI says are to be ignored.
IGNORED = ("accept", "authorization", "content-type")


def messages(response):
    """What the kit says of a refusal; nothing where it is in the contract's own shape."""
    try:
        return [each["message"] for each in json.loads(response.content).get("errors", [])]
    except (ValueError, AttributeError, TypeError):
        return []


def says(response, *texts):
    found = messages(response)
    return bool(found) and all(any(re.search(text, each) for text in texts) for each in found)


def has_brackets(response):
    """Whether each refused name is that of a member within another, such as `a[b]`."""
    return all("[" in each["path"] for each in json.loads(response.content)["errors"])


def is_mocked(response):
    return "accord-mock" in response.headers


def is_kits(response):
    return response.content.startswith(b'{"type":"urn:accord:problem:')


def has_success(case):
    return any(re.match("2|default$", str(status)) for status in case.operation.definition.raw.get("responses", {}))


def is_another_path(case, response):
    return urlsplit(response.request.url).path.count("/") != case.operation.path.count("/")


def has_empty_value(response):
    query = parse_qsl(urlsplit(response.request.url).query, keep_blank_values=True)
    return any(value == "" for _, value in query)


def has_large_integer(response):
    url = urlsplit(response.request.url)
    headers = " ".join(str(value) for value in response.request.headers.values())
    sent = f"{unquote(url.path)} {unquote(url.query)} {headers} {text_of(response.request.body)}"
    return any(abs(int(digits)) > LARGEST for digits in re.findall(r"-?\d{16,400}", sent))


def text_of(body):
    return body.decode("utf-8", "replace") if isinstance(body, bytes) else str(body or "")


def has_null(response):
    return "null" in text_of(response.request.body)


def has_object_in_query(case):
    schemas = [each.definition.get("schema") or {} for each in case.operation.query]
    return any("object" in str(schema.get("type")) or "properties" in schema for schema in schemas)


def media_type(case):
    return (case.media_type or "").split(";")[0]


def codes(failure):
    return {(error.get("extensions") or {}).get("code") for error in failure.errors}


# What resolvers refuse with, and what an introspected schema does not say: @bounds and the limits on documents.
REFUSALS = {"BAD_USER_INPUT", "NOT_FOUND", "CONFLICT", "UNAUTHENTICATED", "FORBIDDEN", "QUERY_TOO_COMPLEX"}

# Name, reason, and which failures it is about.
RULES = [
    (
        "undeclared refusal",
        "the contract does not declare the 400 or 401 that the kit must answer",
        lambda failure, case, response: isinstance(failure, UndefinedStatusCode)
        and is_kits(response)
        and response.status_code in (400, 401),
    ),
    (
        "dot segments",
        "an empty value in the style `label` is a segment `.`, which the client removes: the path is another one",
        lambda failure, case, response: isinstance(failure, UndefinedStatusCode)
        and is_kits(response)
        and response.status_code == 404
        and is_another_path(case, response),
    ),
    (
        "no responses declared",
        "the contract declares no response of the operation, which OpenAPI 3.1 allows",
        lambda failure, case, response: isinstance(failure, UndefinedStatusCode)
        and not failure.defined_status_codes
        and is_mocked(response),
    ),
    (
        "no success declared",
        "the contract declares only errors or redirections of the operation, so its mock answers with one",
        lambda failure, case, response: isinstance(failure, (RejectedPositiveData, ServerError))
        and is_mocked(response)
        and not has_success(case),
    ),
    (
        "no answer possible",
        "the contract declares only interim responses, or a schema that no finite value satisfies",
        lambda failure, case, response: isinstance(failure, (ServerError, UndefinedStatusCode))
        and re.search(rb'"detail":"The (mock cannot make|contract declares only interim)', response.content),
    ),
    (
        "empty value",
        "OpenAPI: a query parameter may be empty only with allowEmptyValue",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and (says(response, "must not be empty") or (not is_kits(response) and has_empty_value(response))),
    ),
    (
        "large number",
        "numbers that JavaScript would round, such as integers beyond 2^53, are refused",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and (
            says(response, "cannot be kept as it is written")
            or (has_large_integer(response) and (not is_kits(response) or says(response, "integer", "number", "int64")))
        ),
    ),
    (
        "nested in a style",
        "no style of parameters expresses nested values: schemathesis writes them as Python does",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and (
            says(response, "must be object$", "in turn$", "must be name=value pairs", "given more than once")
            or says(response, "is not a parameter of this operation") and has_brackets(response)
        ),
    ),
    (
        "further members",
        "unknown query parameters are refused: an object in the query has the members that its schema names",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and says(response, "is not a parameter of this operation")
        and has_object_in_query(case),
    ),
    (
        "nullable in 3.1",
        "`nullable` is no keyword of OpenAPI 3.1, but schemathesis heeds it",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and case.operation.schema.raw_schema["openapi"].startswith("3.1")
        and has_null(response)
        and any(re.search(r"^must be (string|integer|number|boolean|object|array)$", each) for each in messages(response)),
    ),
    (
        "unknown format",
        "schemathesis makes any text for formats that it does not know",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and says(response, r'must match format "(url|duration|json-pointer|u?int\d+)"'),
    ),
    (
        "control character in a name",
        "RFC 9110: headers, also of the parts of a form, have no control characters",
        lambda failure, case, response: isinstance(failure, RejectedPositiveData)
        and says(response, "has a part with a malformed header"),
    ),
    (
        "XML",
        "the kit does not hold XML to a schema: handlers get its text",
        lambda failure, case, response: isinstance(failure, AcceptedNegativeData) and media_type(case).endswith("xml"),
    ),
    (
        "text of a form",
        "any text is a file, a text, or a list of one text",
        lambda failure, case, response: isinstance(failure, AcceptedNegativeData)
        and media_type(case) == "multipart/form-data"
        and re.search("Incorrect type|violates `type`", failure.message),
    ),
    (
        "whole number",
        "JSON Schema: a number without a fraction is an integer, however it is written",
        lambda failure, case, response: isinstance(failure, AcceptedNegativeData)
        and "became number" in failure.message
        and isinstance(case.body, float)
        and case.body.is_integer(),
    ),
    (
        "empty form",
        "the body is optional, and schemathesis made none of a value that no form can express",
        lambda failure, case, response: isinstance(failure, AcceptedNegativeData)
        and media_type(case) == "application/x-www-form-urlencoded"
        and not response.request.body,
    ),
    (
        "ignored header",
        "OpenAPI: parameters called Accept, Content-Type or Authorization are ignored",
        lambda failure, case, response: isinstance(failure, (AcceptedNegativeData, MissingHeaderNotRejected))
        and any(f"`{name}`" in failure.message.lower() or f"'{name}'" in failure.message.lower() for name in IGNORED),
    ),
    (
        "mocked security",
        "a scheme without a security function admits any credentials of its form, while its operation is mocked",
        lambda failure, case, response: isinstance(failure, IgnoredAuth) and is_mocked(response),
    ),
    (
        "refused field",
        "the refusal of a valid GraphQL operation by a resolver, by @bounds or by a limit",
        lambda failure, case, response: isinstance(failure, (GraphQLClientError, GraphQLServerError))
        and codes(failure) <= REFUSALS,
    ),
]
