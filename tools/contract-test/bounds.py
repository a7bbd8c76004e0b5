"""The directive @bounds of schema.graphql, as what a text must be and as texts to send."""

import re
from pathlib import Path

import graphql
from hypothesis import strategies as st

schema = graphql.build_schema(Path("schema.graphql").read_text(encoding="utf-8"))
directive = schema.get_directive("bounds")

# One @, a name before it and a domain with a dot after it, without spaces or control characters.
atom = r"[^\s\ufeff\x00-\x1f\x7f-\x9f@{}]+"
email = re.compile(f"{atom.format('')}@{atom.format('.')}(\\.{atom.format('.')})+")

plain = st.characters(exclude_categories=["Cs"], exclude_characters="\0")


def bounds_of(type_name, field_name):
    """The bounds of each argument of a field that has any."""
    arguments = schema.get_type(type_name).fields[field_name].args
    found = {name: graphql.get_directive_values(directive, each.ast_node) for name, each in arguments.items()}
    return {name: values for name, values in found.items() if values is not None}


def faults_of(name, declared, value):
    """What @bounds refuses in the value of an argument or input field; null in an input object, too."""
    bounds = graphql.get_directive_values(directive, declared.ast_node) or {}
    if isinstance(value, graphql.StringValueNode):
        return [] if not bounds or is_within(bounds, value.value) else [name]
    if isinstance(value, graphql.IntValueNode):
        least, most = bounds.get("minimum", float("-inf")), bounds.get("maximum", float("inf"))
        return [] if least <= int(value.value) <= most else [name]
    if isinstance(value, graphql.ListValueNode):
        return [] if len(value.values) <= bounds.get("maxItems", float("inf")) else [name]
    if isinstance(value, graphql.ObjectValueNode):
        members = graphql.get_named_type(declared.type).fields
        found = [(each.name.value, each.value) for each in value.fields if each.name.value in members]
        nulls = [key for key, inner in found if isinstance(inner, graphql.NullValueNode)]
        return nulls + [fault for key, inner in found for fault in faults_of(key, members[key], inner)]
    return []


def is_within(bounds, text):
    """Whether @bounds admits a text."""
    return (
        bounds["minLength"] <= len(text) <= bounds.get("maxLength", float("inf"))
        and not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text)
        and (bounds.get("format") != "EMAIL" or email.fullmatch(text) is not None)
    )


def texts(bounds):
    """Texts of which most are admitted by @bounds, some only just, and a few are beyond it."""
    least, most = bounds["minLength"], bounds["maxLength"]
    if bounds.get("format") == "EMAIL":
        longest = "a" * (most - len("@example.com")) + "@example.com"
        admitted, edges = st.emails(), [longest, f"a{longest}", "a@b", "@b.c"]
    else:
        # Four bytes in UTF-8 and two units in UTF-16, yet one character.
        edges = ["😀" * length for length in (least - 1, least, most, most + 1) if length >= 0]
        admitted = st.text(plain, min_size=least, max_size=min(most, 300))
    return st.integers(min_value=0, max_value=9).flatmap(
        lambda chance: st.sampled_from(edges) if chance > 7 else admitted
    )
