"""What schemathesis cannot read from openapi.yaml: entity tags, and the answers that they call for."""

import itertools
import re
from urllib.parse import urlencode

import schemathesis
from hypothesis import strategies as st
from schemathesis.openapi.checks import RejectedPositiveData

# Records are young while the tests run, so these are often the version that is asked about.
recent = st.integers(min_value=1, max_value=3).map(lambda version: f'"{version}"')
tag = st.one_of(recent, recent.map(lambda text: f"W/{text}"), st.from_regex(r'"[!#-~]{0,20}"', fullmatch=True))
entity_tags = st.one_of(st.just("*"), st.lists(tag, min_size=1, max_size=4).map(", ".join))

schemathesis.openapi.format("entity-tags", entity_tags)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    # The coverage phase makes header values of letters and digits alone, which no entity tag is: it
    # would send 0 and call it valid. A format of its own is the way to tell it better.
    entity_tags_schema = raw_schema.get("components", {}).get("schemas", {}).get("EntityTags")
    if entity_tags_schema:
        entity_tags_schema["format"] = "entity-tags"
    # It takes a body of YAML for its data; to a client it is text, as its schema says.
    for path in raw_schema.get("paths", {}).values():
        for status in path.get("get", {}).get("responses", {}).values():
            status.get("content", {}).get("application/yaml", {}).pop("schema", None)


# A key that was used before calls for the first answer again, about a record that may be gone by now:
# each request gets a key of its own. What a key used twice does is tested elsewhere.
used_keys = itertools.count(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    key = (case.headers or {}).get("Idempotency-Key")
    if key is not None and re.fullmatch(r"[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = f"{key[:240]}{next(used_keys)}"
    # A valid id in the body of a PUT is that of the path; another one is refused.
    if case.method == "PUT" and isinstance(case.body, dict) and is_id(case.body.get("id")):
        in_path = str((case.path_parameters or {}).get("id"))
        # A copy: cases share their bodies.
        case.body = {**case.body, "id": int(in_path) if in_path.isdecimal() else in_path}


def is_id(value):
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and 1 <= value <= 2**53 - 1 and value == int(value)


@schemathesis.hook
def filter_query(context, query):
    # What does not fit into the head of a request is 431, whatever the operation.
    return len(urlencode(query or {})) < 10_000


@schemathesis.hook.apply_to(name_regex=r"^GET /")
def filter_failure(context, failure, case, response):
    """A text that is no cursor of the list is refused, though its schema admits it."""
    query = case.query or {}
    is_id = isinstance(query.get("after"), int) and "sort" not in query
    if is_id or not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return True
    return {error["path"] for error in response.json().get("errors", [])} != {"/query/after"}


@schemathesis.check
def conditional_answer(ctx, response, case):
    """412 and 304 where If-Match and If-None-Match call for them, and nowhere else."""
    sent = response.request.headers
    if_match, if_none_match = sent.get("If-Match"), sent.get("If-None-Match")
    etag = response.headers.get("etag", [""])[0]
    may_fail = if_match not in (None, "*") or (case.method != "GET" and if_none_match is not None)
    if response.status_code == 412 and not may_fail:
        raise AssertionError(f"412 with {if_match} and {if_none_match}, which do not call for it")
    if response.status_code in (200, 204) and case.method in ("PUT", "DELETE") and if_none_match == "*":
        raise AssertionError("a write to what is there, though If-None-Match is *")
    if response.status_code == 304 and not names(if_none_match, etag):
        raise AssertionError(f"304 with {etag} where If-None-Match does not name it: {if_none_match}")
    if response.status_code == 200 and case.method == "GET" and names(if_none_match, etag):
        raise AssertionError(f"200 with {etag}, though If-None-Match names it: {if_none_match}")


def names(if_none_match, etag):
    if if_none_match is None or etag == "":
        return False
    # If-None-Match compares weakly.
    return if_none_match == "*" or etag in re.findall(r'"[^"]*"', if_none_match)
