import {
  type DocumentNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  specifiedScalarTypes,
} from 'graphql';
import { fieldSchema, sdlType } from './field-forms.ts';
import type { Field, Names } from './resource-fields.ts';

/** Types that every schema has, or that its operations begin with. */
const ofGraphql = new Set([
  ...specifiedScalarTypes.map(({ name }) => name),
  ...['Query', 'Mutation', 'Subscription'],
]);

/** Adds the type of a collection's records to an SDL, with its queries, and its mutations where they are wanted. */
export function withType(
  sdl: string,
  names: Names,
  fields: readonly Field[],
  { mutations }: { readonly mutations: boolean },
): string {
  const ast = parse(sdl);
  const { type, one, many, words, allWords } = names;
  const enumOf = ({ name }: Field) => `${type}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const query = rootOf(ast, 'query') ?? 'Query';
  const mutation = mutations && (rootOf(ast, 'mutation') ?? 'Mutation');
  refuseKnown(ast, names, query);
  const typed = fields.map((field) => {
    const { isOptional } = field;
    const spelled = `${sdlType(field, enumOf(field))}${isOptional ? '' : '!'}`;
    return { name: field.name, spelled, words: String(fieldSchema(field).description) };
  });
  const id = `"The id of the ${words}."\nid: ID!`;
  const given = typed.map((each) => `"${each.words}"\n${each.name}: ${each.spelled}`).join('\n\n');
  const queries = [
    `"The ${words} with this id, or null when there is none."\n${one}(\n${indented(id)}\n): ${type}`,
    `"All ${allWords}, in the order of their ids."\n${many}: [${type}!]!`,
  ];
  const writes = [
    `"Creates a ${words}."\ncreate${type}(\n${indented(given)}\n): ${type}!`,
    `"Replaces a ${words}; null when there is none with this id."\nreplace${type}(\n${indented(`${id}\n\n${given}`)}\n): ${type}`,
    `"Deletes a ${words}; false when there is none with this id."\ndelete${type}(\n${indented(id)}\n): Boolean!`,
  ];
  const members = [
    `"The ${words}'s id, which is never given to another."\nid: ID!`,
    ...typed.map((each) => `"${each.words}"\n${each.name}: ${each.spelled}`),
  ];
  const enums = fields
    .filter(({ kind }) => kind === 'enum')
    .map((field) => {
      const values = field.values.map((value) => `"It is ${value}."\n${value}`);
      return `"What ${field.name} may be."\nenum ${enumOf(field)} {\n${indented(values.join('\n\n'))}\n}`;
    });
  const definition = `"One of the ${allWords}."\ntype ${type} {\n${indented(members.join('\n\n'))}\n}`;
  const withQueries = intoType(sdl, query, queries, 'Every read.');
  const withAll = mutation ? intoType(withQueries, mutation, writes, 'Every write.') : withQueries;
  return `${[withAll.trimEnd(), definition, ...enums].join('\n\n')}\n`;
}

function refuseKnown(ast: DocumentNode, { type, one, many }: Names, query: string): void {
  if (ofGraphql.has(type)) {
    throw new Error(
      `GraphQL has the type ${type}: call one of the records otherwise by --singular`,
    );
  }
  const hasType = ast.definitions.some((each) => 'name' in each && each.name?.value === type);
  if (hasType) throw new Error(`the SDL has the type ${type} already`);
  const known = typesNamed(ast, query)
    .flatMap(({ fields = [] }) => fields)
    .find(({ name }) => name.value === one || name.value === many);
  if (known) throw new Error(`the SDL has the field ${query}.${known.name.value} already`);
}

function intoType(sdl: string, name: string, fields: readonly string[], words: string): string {
  const text = indented(fields.join('\n\n'));
  const [found] = typesNamed(parse(sdl), name).filter(({ fields: own = [] }) => own.length > 0);
  const end = found?.loc?.end;
  if (end === undefined) return `${sdl.trimEnd()}\n\n"${words}"\ntype ${name} {\n${text}\n}\n`;
  return `${sdl.slice(0, end - 1).trimEnd()}\n\n${text}\n}${sdl.slice(end)}`;
}

function typesNamed(ast: DocumentNode, name: string): ObjectTypeDefinitionNode[] {
  return ast.definitions.filter(
    (each): each is ObjectTypeDefinitionNode =>
      each.kind === Kind.OBJECT_TYPE_DEFINITION && each.name.value === name,
  );
}

function rootOf(ast: DocumentNode, operation: 'query' | 'mutation'): string | undefined {
  for (const each of ast.definitions) {
    if (each.kind !== Kind.SCHEMA_DEFINITION) continue;
    const root = each.operationTypes.find((type) => type.operation === operation);
    if (!root && operation === 'mutation') {
      throw new Error(
        'the schema of the SDL names no type for mutations: add `mutation: Mutation`',
      );
    }
    return root?.type.name.value;
  }
  return undefined;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
