"""Which records the answers so far have shown. None of them is ever deleted over GraphQL."""

import graphql

from bounds import schema

known = set()


def remember(type_name, data):
    """Takes note of each id in the `data` of an answer."""
    for name, value in (data or {}).items():
        field = schema.get_type(type_name).fields.get(name)
        if field is None:
            continue
        inner = graphql.get_named_type(field.type).name
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                known.add((inner, each.get("id")))
                remember(inner, each)


def is_known(argument_name, record_id):
    """Whether the record that an argument names, such as `userId`, is there."""
    type_name = argument_name.removesuffix("Id").capitalize()
    return (type_name, record_id) in known
