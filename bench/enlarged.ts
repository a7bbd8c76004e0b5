import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefinitionNode, Kind, parse as parseSdl, print, visit } from 'graphql';
import { parse as parseYaml } from 'yaml';
import { root } from './servers.ts';

/** How many paths the OpenAPI description and how many types the SDL should have; otherwise they stay as they are. */
type Wanted = { readonly paths?: number; readonly types?: number };

/** A copy of the project with a larger or smaller contract, and, as for any operation or field, what answers it. */
export function createEnlarged(folder: string, { paths, types }: Wanted): string {
  const tree = join(folder, `paths-${paths ?? 'given'}-types-${types ?? 'given'}`);
  mkdirSync(tree);
  for (const name of ['src', 'package.json', 'openapi.yaml', 'schema.graphql']) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  if (paths !== undefined) {
    rewrite(join(tree, 'openapi.yaml'), (text) => withPaths(text, paths));
    wrap(tree, 'handlers', handlers);
  }
  if (types !== undefined) {
    rewrite(join(tree, 'schema.graphql'), (text) => withTypes(text, types));
    wrap(tree, 'resolvers', resolvers);
  }
  return tree;
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Puts a module in the place of another, which it imports. */
function wrap(tree: string, name: string, code: string): void {
  const file = join(tree, `src/api/${name}.ts`);
  renameSync(file, join(tree, `src/api/given-${name}.ts`));
  writeFileSync(file, code);
}

// The cases ask for none of these.
const dispensable = /^\/(notes|items|greet|metrics)\b/;

/** As many of the contract's paths as there may be, and copies of those of books under other names. JSON is YAML. */
function withPaths(text: string, count: number): string {
  const contract = parseYaml(text);
  const given = Object.entries<object>(contract.paths);
  const kept = given.length > count ? given.filter(([path]) => !dispensable.test(path)) : given;
  const books = given.filter(([path]) => path.startsWith('/books'));
  const copies = Array.from({ length: Math.max(0, count - kept.length) }, (_, i) => {
    const [path, item] = books[i % books.length] ?? ['', {}];
    const number = Math.floor(i / books.length) + 1;
    return [path.replace('/books', `/books-${number}`), copied(item, number)] as const;
  });
  const paths = [...kept, ...copies];
  if (paths.length !== count) throw new Error(`the contract has ${paths.length} paths`);
  return JSON.stringify({ ...contract, paths: Object.fromEntries(paths) });
}

function copied(item: object, number: number): unknown {
  return JSON.parse(JSON.stringify(item).replaceAll(/("operationId":"\w+)/g, `$1${number}`));
}

/** The SDL without filters and orders, and further types that a field of Query leads to, one after the other. */
function withTypes(text: string, count: number): string {
  const reduced = visit(parseSdl(text), {
    InputObjectTypeDefinition: () => null,
    EnumTypeDefinition: ({ name }) => (name.value.endsWith('Sort') ? null : undefined),
    InputValueDefinition: ({ name }) => (['where', 'sort'].includes(name.value) ? null : undefined),
  });
  const more = count - reduced.definitions.filter(isType).length;
  const further = Array.from({ length: more }, (_, i) => {
    const next = i + 1 < more ? `next: More${i + 2}` : '';
    return `type More${i + 1} { id: ID! name: String! ${next} }`;
  });
  return [print(reduced), 'extend type Query { more: More1 }', ...further].join('\n');
}

function isType({ kind }: DefinitionNode): boolean {
  return kind === Kind.OBJECT_TYPE_DEFINITION || kind === Kind.ENUM_TYPE_DEFINITION;
}

const handlers = `
import { createHandlers as given } from './given-handlers.ts';

export function createHandlers(parts) {
  const handlers = given(parts);
  const ids = parts.contract.operations.map(({ id }) => id).filter((id) => id !== 'executeGraphql');
  return Object.fromEntries(ids.map((id) => [id, handlers[id] ?? handlers[id.replace(/\\d+$/, '')]]));
}
`;

const resolvers = `
import { resolvers as given } from './given-resolvers.ts';

export const resolvers = { ...given, Query: { ...given.Query, more: () => null } };
`;
