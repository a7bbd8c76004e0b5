import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  parse,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import type { NamedOperation } from '../graphql-operations.ts';
import { pascalCase, snakeCase } from '../names.ts';
import { fieldLines } from './models.ts';
import { docstring, fieldName } from './text.ts';

const scalars: Readonly<Record<string, readonly [input: string, output: string]>> = {
  ID: ['str | int', 'str'],
  String: ['str', 'str'],
  Int: ['int', 'int'],
  Float: ['float', 'float'],
  Boolean: ['bool', 'bool'],
};

/** The module of the GraphQL operations: a class for each selection, a function for each operation. */
export function graphqlFile(
  schema: GraphQLSchema,
  operations: readonly NamedOperation[],
  codes: readonly string[],
): string {
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
    `GraphqlCode = Literal[${codes.map((code) => JSON.stringify(code)).join(', ')}]\n`,
    '"""What can go wrong with a GraphQL operation: the code of an error."""\n\n\n',
    `${classes.join('\n\n')}\n\n${documents.join('\n')}\n\n`,
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
  const about = 'The GraphQL operations by name, and any other with `execute`.';
  return `class ${prefix}Graphql(${prefix}GraphqlEndpoint):\n${docstring([about], '    ')}\n${methods.join('\n')}`;
}

const documentName = (name: string) => `${snakeCase(name).toUpperCase()}_DOCUMENT`;

/** The classes of what an operation selects, innermost first. */
function resultClasses(schema: GraphQLSchema, { name, node, text }: NamedOperation): string[] {
  const root = node.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  if (!root) throw new Error(`the schema has nothing for ${name}`);
  const fragments = new Map(
    parse(text).definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  const classes: string[] = [];

  const classOf = (type: GraphQLObjectType, selection: SelectionSetNode, called: string) => {
    const fields = new Map<string, ReturnType<typeof fieldLines>>();
    const add = (set: SelectionSetNode) => {
      for (const each of set.selections) {
        if (each.kind === Kind.INLINE_FRAGMENT) add(each.selectionSet);
        else if (each.kind === Kind.FRAGMENT_SPREAD) {
          add(fragments.get(each.name.value) ?? { kind: Kind.SELECTION_SET, selections: [] });
        } else {
          const wire = each.alias?.value ?? each.name.value;
          const field = type.getFields()[each.name.value];
          if (!field) throw new Error(`${name} selects ${wire}, which has no type in Python yet`);
          const mayLack = each.directives?.some(({ name: { value } }) => value !== 'deprecated');
          const inner = outputType(field.type, (object) => {
            const innerName = `${called}${pascalCase(wire)}`;
            if (!each.selectionSet) throw new Error(`${name} selects nothing of ${wire}`);
            classOf(object, each.selectionSet, innerName);
            return innerName;
          });
          fields.set(wire, fieldLines(wire, inner, !mayLack, field.description ?? ''));
        }
      }
    };
    add(selection);
    const lines = [...fields.values()].map((each) => each.text).join('');
    const about = `What \`${name}\` selects of ${type.name}.`;
    classes.push(
      `@dataclass(frozen=True, kw_only=True)\nclass ${called}:\n${docstring([about], '    ')}\n${lines}`,
    );
  };

  classOf(root, node.selectionSet, `${name}Result`);
  return classes;
}

function outputType(type: GraphQLOutputType, named: (object: GraphQLObjectType) => string): string {
  if (isNonNullType(type)) return innerOutput(type.ofType, named);
  return optional(innerOutput(type, named));
}

function innerOutput(
  type: GraphQLOutputType,
  named: (object: GraphQLObjectType) => string,
): string {
  if (isListType(type)) return `list[${outputType(type.ofType, named)}]`;
  if (isObjectType(type)) return named(type);
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
  if (isScalarType(type)) return scalars[type.name]?.[direction] ?? 'Any';
  throw new Error(
    `${type.name} is an interface or a union, which the Python SDK has no type for yet`,
  );
}

function optional(type: string): string {
  return type.endsWith('None') || type === 'Any' ? type : `${type} | None`;
}
