import type { IExecutableSchemaDefinition } from '@graphql-tools/schema';
import {
  type ASTNode,
  buildASTSchema,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  type NameNode,
  parse,
  validateSchema,
  visit,
} from 'graphql';

export type Resolvers = NonNullable<IExecutableSchemaDefinition['resolvers']>;

type Sdl = { readonly ast: DocumentNode; readonly schema: GraphQLSchema };

/** An SDL that is valid; else an error such as `schema.graphql:12:3: …`. */
export function readSdl(sdl: string, file: string): Sdl {
  const ast = attempt(() => parse(sdl), file);
  const schema = attempt(() => buildASTSchema(ast), file, ast);
  const [error] = validateSchema(schema);
  if (error) throw sdlError(file, ast, error);
  return { ast, schema };
}

/** Refuses a field of a root type without a resolver, and a resolver without a field. */
export function checkResolvers({ schema }: Sdl, resolvers: Resolvers, file: string): void {
  const all = [resolvers].flat();
  const [missing, extra] = [withoutResolver(schema, all), withoutField(schema, all)];
  if (missing.length > 0) {
    const names = missing.map(({ type, field }) => `${type.name}.${field.name}`);
    const message = `no resolver for ${names.join(', ')}; expected one for each`;
    throw located(file, missing[0]?.field.astNode, message);
  }
  if (extra.length > 0) {
    const names = extra.map(({ type, field }) => `${type}.${field}`);
    const message = `no field for the resolver of ${names.join(', ')}; expected one for each`;
    throw located(file, schema.getType(String(extra[0]?.type))?.astNode, message);
  }
}

/** The error of a library or of our own, with the place that it tells or whose names it tells. */
export function sdlError(file: string, ast: DocumentNode | undefined, error: unknown): Error {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const { locations } = Object(error) as Partial<GraphQLError>;
  const [location] = locations ?? [];
  if (location) return new Error(`${file}:${location.line}:${location.column}: ${message}`);
  return located(file, ast && nodeNamedIn(message, ast), message);
}

function attempt<T>(make: () => T, file: string, ast?: DocumentNode): T {
  try {
    return make();
  } catch (error) {
    throw sdlError(file, ast, error);
  }
}

function located(file: string, node: ASTNode | undefined | null, message: string): Error {
  const { line, column } = node?.loc?.startToken ?? { line: 1, column: 1 };
  return new Error(`${file}:${line}:${column}: ${message}`);
}

/** What buildASTSchema refuses it names, such as "Query.a" or "@nope", and does not locate. */
function nodeNamedIn(message: string, ast: DocumentNode): NameNode | undefined {
  const coordinate = message.split(' ').find((word) => /^"|\(/.test(word)) ?? '';
  const name = coordinate.match(/\w+/g)?.at(-1);
  const nodes: NameNode[] = [];
  visit(ast, { Name: (node) => void (node.value === name && nodes.push(node)) });
  // Of what is defined more than once, the last is too many.
  return /\b(once|one|already)\b/.test(message) ? nodes.at(-1) : nodes[0];
}

function withoutResolver(schema: GraphQLSchema, all: readonly object[]) {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    .filter((type) => type !== undefined && type !== null)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(
      ({ type, field }) =>
        !all.some((each) => Object.hasOwn(Object(Reflect.get(each, type.name)), field.name)),
    );
}

function withoutField(schema: GraphQLSchema, all: readonly object[]) {
  return all
    .flatMap((each) => Object.entries(each))
    .flatMap(([type, fields]) => Object.keys(Object(fields)).map((field) => ({ type, field })))
    .filter(({ type, field }) => !isThere(schema, type, field));
}

function isThere(schema: GraphQLSchema, name: string, field: string): boolean {
  const type = schema.getType(name);
  // Names such as `__resolveType`, and values of enums and scalars, are not fields.
  if (!type || field.startsWith('__')) return type !== undefined;
  if (!isObjectType(type) && !isInterfaceType(type)) return true;
  return Object.hasOwn(type.getFields(), field);
}
