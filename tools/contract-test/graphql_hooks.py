"""What schemathesis cannot read from an introspected schema: @bounds, and the refusals that are proper."""

import graphql
import schemathesis
from hypothesis import strategies as st
from schemathesis.graphql.checks import GraphQLClientError, GraphQLServerError
from schemathesis.graphql import nodes

from bounds import bounds_of, faults_of, schema, texts
from known_ids import is_known, remember

# The few records that a run makes have small ids.
ids = st.integers(min_value=1, max_value=9).map(str)

# Some are out of bounds.
firsts = st.one_of(st.integers(min_value=1, max_value=9), st.sampled_from([0, 1, 1000, 1001]))


@schemathesis.hook.apply_to(name_regex=r"^(Query|Mutation)\.")
def flatmap_body(context, body):
    return sensible(body, context.operation.definition.type_.name)


@schemathesis.hook
def after_call(context, case, response):
    if is_graphql(case) and response.status_code == 200:
        remember(case.operation.definition.type_.name, response.json().get("data"))


@schemathesis.hook.apply_to(name_regex=r"^(Query|Mutation)\.")
def filter_failure(context, failure, case, response):
    """A refusal that the contract calls for is no failure; any other stays one."""
    if not isinstance(failure, (GraphQLClientError, GraphQLServerError)):
        return True
    return not all(is_called_for(case, error) for error in failure.errors)


@schemathesis.check
def bounds_enforced(ctx, response, case):
    """A value out of its @bounds is refused with BAD_USER_INPUT."""
    if not is_graphql(case) or case.meta.generation.mode.is_negative or response.status_code != 200:
        return
    body = response.json()
    errors = body.get("errors", [])
    # A document that costs too much is refused as a whole.
    if "data" not in body and errors:
        return
    refused = {error["path"][0] for error in errors if code_of(error) == "BAD_USER_INPUT" and error.get("path")}
    for key, type_name, field in root_fields(case):
        out = out_of_bounds(type_name, field)
        if out and key not in refused:
            raise AssertionError(f"{field.name.value} took a value that is out of its @bounds: {', '.join(out)}")


@st.composite
def sensible(draw, document, type_name):
    """The document with texts that heed @bounds and ids that often exist in most of its arguments."""

    is_valid = not graphql.validate(schema, document)

    def value_of(field, argument):
        name, value = argument.name.value, argument.value
        if draw(st.integers(min_value=0, max_value=9)) == 9:
            return value
        bounds = bounds_of(type_name, field.name.value).get(name)
        # What is not a text was put there to be refused.
        if bounds and "maxLength" in bounds and isinstance(value, graphql.StringValueNode):
            return nodes.String(draw(texts(bounds)))
        declared = schema.get_type(type_name).fields[field.name.value].args.get(name)
        is_id = declared and graphql.get_named_type(declared.type) is graphql.GraphQLID
        if is_id and isinstance(value, (graphql.StringValueNode, graphql.IntValueNode)):
            return nodes.String(draw(ids))
        return value

    def with_values(field):
        if not isinstance(field, graphql.FieldNode):
            return field
        arguments = tuple(changed(each, value=value_of(field, each)) for each in field.arguments or ())
        return with_lists(changed(field, arguments=arguments))

    def with_lists(field):
        """Most lists are asked for some of all records: few meet any condition or come after any text."""
        # What is not valid was put there to be refused.
        if not is_valid or not isinstance(field, graphql.FieldNode):
            return field
        arguments = tuple(
            changed(each, value=nodes.Int(draw(firsts))) if each.name.value == "first" else each
            for each in field.arguments or ()
            if each.name.value not in ("where", "after") or draw(st.integers(min_value=0, max_value=4)) == 4
        )
        if field.selection_set is None:
            return changed(field, arguments=arguments)
        selections = tuple(with_lists(each) for each in field.selection_set.selections)
        inner = changed(field.selection_set, selections=selections)
        return changed(field, arguments=arguments, selection_set=inner)

    def with_fields(definition):
        selections = tuple(with_values(each) for each in definition.selection_set.selections)
        return changed(definition, selection_set=changed(definition.selection_set, selections=selections))

    return changed(document, definitions=tuple(with_fields(each) for each in document.definitions))


def changed(node, **members):
    """A copy of a node, which cannot be changed itself."""
    return type(node)(**{**{key: getattr(node, key) for key in node.keys}, **members})


def is_called_for(case, error):
    code, path = code_of(error), error.get("path") or [None]
    # A list costs what its `first` says.
    if code == "QUERY_TOO_COMPLEX":
        return any(has_argument(field, "first") for _, _, field in root_fields(case))
    for key, type_name, field in root_fields(case):
        if key != path[0]:
            continue
        if code == "BAD_USER_INPUT":
            # A text is hardly ever the cursor of a list.
            return has_argument(field, "after") or bool(out_of_bounds_below(type_name, field))
        if code == "NOT_FOUND" and any(is_known(name, text) for name, text in ids_in(field)):
            return False
        description = schema.get_type(type_name).fields[field.name.value].description or ""
        return code in ("NOT_FOUND", "CONFLICT") and f"`{code}`" in description
    return False


def ids_in(field):
    values = ((argument.name.value, argument.value) for argument in field.arguments or ())
    return [(name, value.value) for name, value in values if name.endswith("Id")]


def out_of_bounds(type_name, field):
    declared = schema.get_type(type_name).fields[field.name.value].args
    arguments = [each for each in field.arguments or () if each.name.value in declared]
    return [fault for each in arguments for fault in faults_of(each.name.value, declared[each.name.value], each.value)]


def out_of_bounds_below(type_name, field):
    """What is out of bounds in a field, or in one that is selected below it."""
    declared = schema.get_type(type_name).fields.get(field.name.value)
    if declared is None:
        return []
    inner = graphql.get_named_type(declared.type).name
    below = [fault for each in fields_below(field) for fault in out_of_bounds_below(inner, each)]
    return out_of_bounds(type_name, field) + below


def has_argument(field, name):
    """Whether a field, or one that is selected below it, has an argument of this name."""
    own = any(each.name.value == name for each in field.arguments or ())
    return own or any(has_argument(each, name) for each in fields_below(field))


def fields_below(field):
    selections = field.selection_set.selections if field.selection_set else ()
    return [each for each in selections if isinstance(each, graphql.FieldNode)]


def root_fields(case):
    """Each field at the root of what was sent: its key in the answer, its type and itself."""
    type_name = case.operation.definition.type_.name
    for definition in graphql.parse(case.body).definitions:
        for field in definition.selection_set.selections:
            if isinstance(field, graphql.FieldNode):
                yield (field.alias or field.name).value, type_name, field


def code_of(error):
    return (error.get("extensions") or {}).get("code")


def is_graphql(case):
    return case.operation.label.startswith(("Query.", "Mutation."))
