// engines: sqlite, postgres
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { collectionHandlers } from '../../../src/kit/rest/collection-handlers.ts';
import type { HandlerParts } from '../../../src/kit/rest/handler.ts';
import { type Running, serve } from '../../../src/kit/serve.ts';
import { collection, type StoreOf } from '../../../src/kit/store/table-declarations.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { isMissing, needPostgres, newDatabase } from '../../support/engine.ts';
import { draftedMigrations } from '../../support/table-store.ts';

type Author = { readonly id: number; readonly name: string };
type Review = {
  readonly id: number;
  readonly authorId: number;
  readonly stars: number;
  readonly weight: number | null;
  readonly readOn?: string;
  readonly tags: readonly string[];
  readonly place: { readonly city: string };
};
const tables = {
  authors: collection<Author>({ name: 'text' }),
  reviews: collection<Review, Omit<Review, 'id' | 'stars'> & { readonly stars?: number }>({
    authorId: { type: 'integer', references: { table: 'authors', onDelete: 'restrict' } },
    stars: { type: 'integer', default: 3 },
    weight: 'number | null',
    readOn: 'date?',
    tags: 'json',
    place: 'json',
  }),
};

needPostgres();
const folder = mkdtempSync(join(tmpdir(), 'accord-http-'));
const log: string[] = [];
let running: Running | undefined;
let remove: (() => void) | undefined;
beforeAll(async () => {
  if (isMissing()) return;
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, contract());
  const drafted = draftedMigrations(tables);
  remove = drafted.remove;
  const api = {
    openapi: pathToFileURL(file),
    tables,
    migrations: drafted.migrations,
    handlers: ({ store }: HandlerParts<StoreOf<typeof tables>>) => {
      const authors = collectionHandlers('/authors', store.authors);
      const reviews = collectionHandlers('/reviews', store.reviews);
      return {
        createAuthor: authors.create,
        deleteAuthor: authors.remove,
        listReviews: reviews.list,
        createReview: reviews.create,
        getReview: reviews.get,
        replaceReview: reviews.replace,
        deleteReview: reviews.remove,
      };
    },
  };
  running = await serve(api, {
    settings: readSettings({
      ...atOnce,
      PORT: '0',
      DATABASE_URL: await newDatabase(),
      RESPONSE_SAMPLE: '1',
    }),
    log: createLog('info', (line) => log.push(line)),
  });
});
afterAll(async () => {
  await running?.stop();
  remove?.();
  rmSync(folder, { recursive: true });
});

async function send(method: string, path: string, json?: unknown, headers = {}) {
  const response = await fetch(`${running?.url}${path}`, {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, text, etag: response.headers.get('etag') };
}

describe('a collection with arrays, objects, null and a relation', () => {
  const review = { authorId: 1, weight: null, tags: [], place: { city: 'Ersilia' } };

  it('is created, read, replaced and removed over HTTP', async () => {
    expect((await send('POST', '/authors', { name: 'Marco' })).status).toBe(201);
    const made = await send('POST', '/reviews', review);
    const text =
      '{"id":1,"authorId":1,"stars":3,"weight":null,"tags":[],"place":{"city":"Ersilia"}}';
    expect(made).toEqual({ status: 201, text, etag: '"1"' });
    expect(await send('GET', '/reviews/1')).toEqual({ status: 200, text, etag: '"1"' });
    const other = { ...review, stars: 5, weight: 1e308, readOn: '9999-12-31', tags: ['é', '"'] };
    const changed =
      '{"id":1,"authorId":1,"stars":5,"weight":1e+308,"readOn":"9999-12-31","tags":["é","\\""],"place":{"city":"Ersilia"}}';
    const replaced = await send('PUT', '/reviews/1', other, { 'if-match': '"1"' });
    expect(replaced).toEqual({ status: 200, text: changed, etag: '"2"' });
    expect((await send('GET', '/reviews')).text).toBe(`[${changed}]`);
  });

  it('says in the problem which record is not there, and that one is referred to', async () => {
    const unknown = await send('POST', '/reviews', { ...review, authorId: 9 });
    expect(JSON.parse(unknown.text)).toMatchObject({
      status: 422,
      detail: 'No author has this id.',
    });
    const replaced = await send('PUT', '/reviews/1', { ...review, authorId: 9 });
    expect(replaced.status).toBe(422);
    const refused = await send('DELETE', '/authors/1');
    expect(JSON.parse(refused.text)).toMatchObject({
      status: 409,
      detail: 'Records of reviews refer to it.',
    });
    expect((await send('DELETE', '/reviews/1')).status).toBe(204);
    expect((await send('DELETE', '/authors/1')).status).toBe(204);
    expect(log.filter((line) => line.includes('failed') || line.includes('violat'))).toEqual([]);
  });
});

function contract(): string {
  const problem =
    '{ description: Refused, content: { application/json: { schema: { type: object } } } }';
  const refusals = [400, 404, 409, 412, 422].map((status) => `'${status}': ${problem}`).join(', ');
  const body = (schema: string) =>
    `requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } } }`;
  const answer = (schema: string) =>
    `description: Done, headers: { ETag: { schema: { type: string } }, Location: { schema: { type: string } }, Link: { schema: { type: string } } }, content: { application/json: { schema: ${schema} } }`;
  const of = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;
  const headers = ['If-Match', 'If-None-Match', 'Idempotency-Key']
    .map((name) => `{ name: ${name}, in: header, schema: { type: string } }`)
    .join(', ');
  const id = '{ name: id, in: path, required: true, schema: { type: integer } }';
  const fields = `
        authorId: { type: integer }
        stars: { type: integer }
        weight: { type: [number, 'null'] }
        readOn: { type: string }
        tags: { type: array, items: { type: string } }
        place: { type: object, required: [city], properties: { city: { type: string } } }`;
  return `
openapi: 3.1.0
info: { title: Reviews, version: 1.0.0 }
paths:
  /authors:
    post:
      operationId: createAuthor
      parameters: [${headers}]
      ${body('AuthorInput')}
      responses: { '201': { ${answer(of('Author'))} }, ${refusals} }
  /authors/{id}:
    delete:
      operationId: deleteAuthor
      parameters: [${id}, ${headers}]
      responses: { '204': { description: Gone }, ${refusals} }
  /reviews:
    get:
      operationId: listReviews
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: after, in: query, schema: { type: integer } }
      responses: { '200': { ${answer(`{ type: array, items: ${of('Review')} }`)} }, ${refusals} }
    post:
      operationId: createReview
      parameters: [${headers}]
      ${body('ReviewInput')}
      responses: { '201': { ${answer(of('Review'))} }, ${refusals} }
  /reviews/{id}:
    get:
      operationId: getReview
      parameters: [${id}, ${headers}]
      responses: { '200': { ${answer(of('Review'))} }, '304': { description: Known }, ${refusals} }
    put:
      operationId: replaceReview
      parameters: [${id}, ${headers}]
      ${body('ReviewInput')}
      responses: { '200': { ${answer(of('Review'))} }, ${refusals} }
    delete:
      operationId: deleteReview
      parameters: [${id}, ${headers}]
      responses: { '204': { description: Gone }, ${refusals} }
components:
  schemas:
    AuthorInput: { type: object, required: [name], properties: { name: { type: string } } }
    Author:
      { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    ReviewInput:
      type: object
      required: [authorId, weight, tags, place]
      properties:${fields}
    Review:
      type: object
      required: [id, authorId, stars, weight, tags, place]
      properties:
        id: { type: integer }${fields}
`;
}
