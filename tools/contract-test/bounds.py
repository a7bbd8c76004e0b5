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


def is_within(bounds, text):
    """Whether @bounds admits a text."""
    return (
        bounds["minLength"] <= len(text) <= bounds["maxLength"]
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
