import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  isUnionType,
  Kind,
  parse,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { pascalCase, snakeCase } from '../../../sdk/names.ts';
import { fieldLines } from '../../../sdk/python/python-models.ts';
import { createFieldNames, docstring, fieldName } from '../../../sdk/python/text.ts';
import type { Graphql, NamedOperation } from '../graphql-operations.ts';

const scalars: Readonly<Record<string, readonly [input: string, output: string]>> = {
  ID: ['str | int', 'str'],
  String: ['str', 'str'],
  Int: ['int', 'int'],
  Float: ['float', 'float'],
  Boolean: ['bool', 'bool'],
};

/** The module of the GraphQL operations: a class for each selection, a function for each operation. */
export function graphqlFile({ schema, operations, codes }: Graphql): string {
  const classes = operations.map((operation) => resultClasses(schema, operation).join('\n\n'));
  const documents = operations.map(
    ({ name, text }) =>
      `${documentName(name)} = TypedDocument(\n    """\n${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')}\n""",\n    ${name}Result,\n)\n`,
  );
  return [
    '"""The GraphQL operations by name."""\n\nfrom __future__ import annotations\n\n',
    'from dataclasses import dataclass, field\nfrom typing import Any, Literal, Unpack\n\n',
    'from ._graphql import AsyncGraphqlEndpoint, GraphqlEndpoint, TypedDocument\n',
    'from ._options import RequestOptions\n\n',
    `GraphqlCode = ${codes.length > 0 ? `Literal[${codes.map((code) => JSON.stringify(code)).join(', ')}]` : 'str'}\n`,
    '"""What can go wrong with a GraphQL operation: the code of an error."""\n\n\n',
    operations.length > 0 ? `${classes.join('\n\n')}\n\n${documents.join('\n')}\n\n` : '',
    apiClass(schema, operations, 'sync'),
    '\n\n',
    apiClass(schema, operations, 'async'),
  ].join('');
}

function apiClass(
  schema: GraphQLSchema,
  operations: readonly NamedOperation[],
  mode: 'sync' | 'async',
): string {
  const [prefix, def, wait] = mode === 'async' ? ['Async', 'async def', 'await '] : ['', 'def', ''];
  const methods = operations.map(({ name, about, node }) => {
    const variables = (node.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
      const found = typeFromAST(schema, type);
      if (!found) throw new Error(`${name} has a variable of a type that is not in the schema`);
      const text = inputType(found as GraphQLInputType);
      const isNeeded = isNonNullType(found) && !defaultValue;
      const python = fieldName(variable.name.value);
      return {
        isNeeded,
        wire: variable.name.value,
        python,
        typed: isNeeded ? `${python}: ${text}` : `${python}: ${optional(text)} = None`,
      };
    });
    const star = variables.length > 0 ? ['*'] : [];
    const given = ['self', ...star, ...variables.map(({ typed }) => typed)];
    const sent = variables.map(({ wire, python }) => `"${wire}": ${python}`);
    const values = variables.every(({ isNeeded }) => isNeeded)
      ? `{${sent.join(', ')}}`
      : `{name: value for name, value in {${sent.join(', ')}}.items() if value is not None}`;
    return [
      `    ${def} ${fieldName(name)}(${[...given, '**options: Unpack[RequestOptions]'].join(', ')}) -> ${name}Result:\n`,
      docstring([about || name], '        '),
      `        return ${wait}self.execute(${documentName(name)}, ${values}, **options)\n`,
    ].join('');
  });
  const about =
    operations.length > 0
      ? 'The GraphQL operations by name, and any other with `execute`.'
      : 'GraphQL operations: `execute` takes any document.';
  return `class ${prefix}Graphql(${prefix}GraphqlEndpoint):\n${docstring([about], '    ')}\n${methods.join('\n')}`;
}

const documentName = (name: string) => `${snakeCase(name).toUpperCase()}_DOCUMENT`;

/** A selection, and the type that it is made of. */
type Part = { readonly type: GraphQLCompositeType; readonly set: SelectionSetNode };

/** A field, with all that is selected of it: GraphQL merges selections under one name. */
type Selected = {
  readonly field: GraphQLField<unknown, unknown> | undefined;
  readonly parts: readonly Part[];
  readonly isAlways: boolean;
};

/** The classes of what an operation selects, innermost first. */
function resultClasses(schema: GraphQLSchema, { name, node, text }: NamedOperation): string[] {
  const root = node.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  if (!root) throw new Error(`the schema has nothing for ${name}`);
  const fragments = new Map(
    parse(text).definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  );
  const classes = new Map<string, string>();

  /** One class for all that is selected under a name; what only some of its types have may be missing. */
  const classOf = (parts: readonly Part[], called: string) => {
    const fields = new Map<string, Selected>();
    const add = (
      type: GraphQLCompositeType,
      within: GraphQLCompositeType,
      set: SelectionSetNode,
      mayLack: boolean,
    ) => {
      for (const each of set.selections) {
        const lacks = mayLack || (each.directives ?? []).length > 0;
        if (each.kind !== Kind.FIELD) {
          const fragment =
            each.kind === Kind.FRAGMENT_SPREAD ? fragments.get(each.name.value) : each;
          const condition = fragment?.typeCondition?.name.value;
          const inner = condition === undefined ? within : schema.getType(condition);
          const isSome = isAbstractType(type) && condition !== undefined && condition !== type.name;
          if (fragment && isCompositeType(inner))
            add(type, inner, fragment.selectionSet, lacks || isSome);
          continue;
        }
        const wire = each.alias?.value ?? each.name.value;
        const field = isUnionType(within) ? undefined : within.getFields()[each.name.value];
        const inner = field && getNamedType(field.type);
        const known = fields.get(wire) ?? { field, parts: [], isAlways: false };
        const isObject = each.selectionSet && isCompositeType(inner);
        fields.set(wire, {
          ...known,
          parts: [...known.parts, ...(isObject ? [{ type: inner, set: each.selectionSet }] : [])],
          isAlways: known.isAlways || !lacks,
        });
      }
    };
    const types = [...new Set(parts.map(({ type }) => type))];
    for (const { type, set } of parts) add(type, type, set, types.length > 1);
    const fieldNames = createFieldNames();
    const all = [...fields].map(([wire, { field, parts: inner, isAlways }]) => {
      const innerName = `${called}${pascalCase(wire)}`;
      const text = field
        ? outputType(field.type, () => {
            classOf(inner, innerName);
            return innerName;
          })
        : 'str';
      return fieldLines(wire, text, isAlways, field?.description ?? '', fieldNames(wire));
    });
    all.sort((a, b) => Number(a.isOptional) - Number(b.isOptional));
    const about = `What \`${name}\` selects of ${types.map((type) => type.name).join(' and ')}.`;
    classes.set(
      called,
      `@dataclass(frozen=True, kw_only=True)\nclass ${called}:\n${docstring([about], '    ')}\n${all.map((each) => each.text).join('')}`,
    );
  };

  classOf([{ type: root, set: node.selectionSet }], `${name}Result`);
  return [...classes.values()];
}

function outputType(type: GraphQLOutputType, named: () => string): string {
  if (isNonNullType(type)) return innerOutput(type.ofType, named);
  return optional(innerOutput(type, named));
}

function innerOutput(type: GraphQLOutputType, named: () => string): string {
  if (isListType(type)) return `list[${outputType(type.ofType, named)}]`;
  if (isCompositeType(type)) return named();
  return leafType(type as GraphQLNamedType, 1);
}

function inputType(type: GraphQLInputType): string {
  const inner = isNonNullType(type) ? type.ofType : type;
  const text = isListType(inner)
    ? `list[${inputType(inner.ofType)}]`
    : isInputObjectType(inner)
      ? 'dict[str, Any]'
      : leafType(inner as GraphQLNamedType, 0);
  return isNonNullType(type) ? text : optional(text);
}

function leafType(type: GraphQLNamedType, direction: 0 | 1): string {
  if (isEnumType(type)) {
    return `Literal[${type
      .getValues()
      .map(({ name }) => JSON.stringify(name))
      .join(', ')}]`;
  }
  return (isScalarType(type) && scalars[type.name]?.[direction]) || 'Any';
}

function optional(type: string): string {
  return type.endsWith('None') || type === 'Any' ? type : `${type} | None`;
}
