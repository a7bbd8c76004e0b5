import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childrenOf, cursorIn, listOf } from '../../src/kit/graphql/list-fields.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { collectionHandlers } from '../../src/kit/rest/collection-handlers.ts';
import type { HandlerParts } from '../../src/kit/rest/handler.ts';
import { serve } from '../../src/kit/serve.ts';
import { collection, type StoreOf } from '../../src/kit/store/table-declarations.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import { draftedMigrations } from './table-store.ts';

export type Thing = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly weight: number | null;
  readonly isDone: boolean;
  readonly seenAt: string | null;
  readonly kind: 'A' | 'B' | 'b';
  readonly body: string;
};
export type Part = Thing & { readonly thingId: number };

const columns = {
  name: 'text',
  size: 'integer',
  weight: 'number | null',
  isDone: 'boolean',
  seenAt: 'date-time | null',
  kind: 'enum',
  body: 'long text',
} as const;
const sort = ['name', 'size', 'weight', 'isDone', 'seenAt', 'kind'] as const;
const thingId = { type: 'integer', references: { table: 'things', onDelete: 'cascade' } } as const;

export const listTables = {
  things: collection<Thing>(columns, { filter: [...sort, 'body'], sort }),
  parts: collection<Part>(
    { thingId, ...columns },
    { filter: ['thingId', ...sort, 'body'], sort: ['thingId', ...sort] },
  ),
};
export type ListStore = StoreOf<typeof listTables>;

/** The comparisons that both contracts offer for each field. */
export const comparisons = {
  name: ['eq', 'contains'],
  size: ['eq', 'in', 'gt', 'gte', 'lt', 'lte'],
  weight: ['eq', 'gt', 'gte', 'lt', 'lte'],
  isDone: ['eq'],
  seenAt: ['eq', 'gt', 'gte', 'lt', 'lte'],
  kind: ['eq', 'in'],
  body: ['contains'],
} as const;

const schemas: Readonly<Record<keyof typeof comparisons, string>> = {
  name: '{ type: string, maxLength: 9 }',
  size: '{ type: integer }',
  weight: '{ type: [number, "null"] }',
  isDone: '{ type: boolean }',
  seenAt: '{ type: string, format: date-time }',
  kind: '{ type: string, enum: [A, B, b] }',
  body: '{ type: string }',
};

const parameters = Object.entries(comparisons).flatMap(([field, operators]) =>
  operators.map((operator) => {
    const schema = schemas[field as keyof typeof comparisons];
    const name = operator === 'eq' ? field : `"${field}[${operator}]"`;
    return operator === 'in'
      ? `{ in: query, name: ${name}, explode: false, schema: { type: array, items: ${schema} } }`
      : `{ in: query, name: ${name}, schema: ${schema} }`;
  }),
);

const path = (name: string, fields: readonly string[], more: string) => `
  /${name}:
    get:
      operationId: list_${name}
      parameters:
        ${[...parameters, ...(more ? [more] : [])].map((each) => `- ${each}`).join('\n        ')}
        - name: sort
          in: query
          explode: false
          schema: { type: array, items: { enum: [${['id', ...fields].flatMap((field) => [field, `-${field}`])}] } }
        - { in: query, name: limit, schema: { type: integer, minimum: 1 } }
        - { in: query, name: after, schema: { type: string } }
      responses: { "200": { description: ok, content: { application/json: { schema: { type: array } } } } }`;

export const listContract = `openapi: 3.1.0
info: { title: Lists, version: 1.0.0 }
paths:${path('things', sort, '')}${path('parts', ['thingId', ...sort], '{ in: query, name: thingId, schema: { type: integer } }')}
`;

const scalars: Readonly<Record<keyof typeof comparisons, string>> = {
  name: 'String',
  size: 'Int',
  weight: 'Float',
  isDone: 'Boolean',
  seenAt: 'String',
  kind: 'Kind',
  body: 'String',
};
const inputs = Object.entries(comparisons).map(([field, operators]) => {
  const scalar = scalars[field as keyof typeof comparisons];
  const members = operators.map((each) => `${each}: ${each === 'in' ? `[${scalar}!]` : scalar}`);
  return `input ${field}Test { ${members.join(' ')} }`;
});
const fields = `id: ID! name: String! size: Int! weight: Float isDone: Boolean! seenAt: String kind: Kind! body: String!`;
const values = ['ID', 'NAME', 'SIZE', 'WEIGHT', 'IS_DONE', 'SEEN_AT', 'KIND'];
const list = '(where: Where, sort: [Sort!], first: Int, after: String)';

export const listSdl = `
type Query { things${list}: [Thing!]! parts${list}: [Part!]! }
type Thing { ${fields} parts${list}: [Part!]! cursor(sort: [Sort!]): String! }
type Part { ${fields} cursor(sort: [Sort!]): String! }
enum Kind { A B b }
enum Sort { ${values.flatMap((value) => [value, `${value}_DESC`]).join(' ')} }
input Where { ${Object.keys(comparisons).map((field) => `${field}: ${field}Test`)} }
${inputs.join('\n')}
`;

const resolvers = {
  Query: {
    things: listOf('Query.things', (store: ListStore) => store.things),
    parts: listOf('Query.parts', (store: ListStore) => store.parts),
  },
  Thing: {
    parts: childrenOf('Thing.parts', (store: ListStore) => store.parts.by('thingId')),
    cursor: cursorIn((store: ListStore) => store.things),
  },
  Part: { cursor: cursorIn((store: ListStore) => store.parts) },
};

type Contracts = {
  readonly openapi?: string;
  readonly sdl?: string;
  readonly url?: string;
  readonly settings?: Readonly<Record<string, string>>;
};

/** Serves tables of the tests' own, with lists by both protocols. */
export async function serveLists({
  openapi = listContract,
  sdl = listSdl,
  url: database = 'sqlite::memory:',
  settings = {},
}: Contracts = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  const written = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name));
  };
  const drafted = draftedMigrations(listTables);
  const log: string[] = [];
  let store: ListStore | undefined;
  const api = {
    openapi: written('openapi.yaml', openapi),
    graphql: written('schema.graphql', sdl),
    ...{ tables: listTables, migrations: drafted.migrations, resolvers },
    handlers: (parts: HandlerParts<ListStore>) => {
      store = parts.store;
      return {
        list_things: collectionHandlers('/things', store.things).list,
        list_parts: collectionHandlers('/parts', store.parts).list,
      };
    },
  };
  const env = { ...atOnce, PORT: '0', DATABASE_URL: database, RESPONSE_SAMPLE: '0', ...settings };
  try {
    const running = await serve(api, {
      settings: readSettings(env),
      log: createLog('error', (line) => log.push(line)),
    });
    if (!store) throw new Error('handlers are made at start');
    return { ...running, store, log };
  } finally {
    drafted.remove();
    rmSync(folder, { recursive: true });
  }
}
