// engines: sqlite
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GraphQLScalarType } from 'graphql';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Api } from '../../../src/kit/api-declaration.ts';
import { contractChecks, startTestServer } from '../../../src/kit/cli/test/testing.ts';
import { ApiError, type ErrorCode } from '../../../src/kit/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'testing-faults-'));
const temporary = join(folder, 'temporary');
mkdirSync(temporary);
let said = '';
beforeEach(() => {
  // What is counted here is of other contracts than this repository's.
  vi.stubEnv('CONTRACT_COVERAGE', '');
  vi.stubEnv('TMPDIR', temporary);
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name));
};

/** What each check says of an API, by name; a reason to skip it stands before. */
async function faults(api: Api, headers?: Readonly<Record<string, string>>) {
  const { checks, stop } = await contractChecks(api, headers && { headers });
  const found: Record<string, unknown> = {};
  for (const { name, skip, ask } of checks) found[name] = skip === false ? await ask() : [skip];
  await stop();
  return found;
}

const statuses = [200, 400, 401, 403, 404, 409, 418, 500, 503];
const openapi = file(
  'statuses.yaml',
  `openapi: 3.1.0
info: { title: Statuses, version: 1.0.0 }
paths:
${statuses
  .map(
    (status) => `  /s${status}:
    get:
      operationId: s${status}
      responses: { '${status === 418 ? 200 : status}': { description: It., content: { application/json: { schema: { type: integer } } } } }
`,
  )
  .join('')}`,
);

describe('contractChecks', () => {
  it('admits the refusals that an operation declares, but not those of what is right', async () => {
    const handlers = Object.fromEntries(
      statuses.map((status) => [`s${status}`, () => ({ status, body: 1 })]),
    );
    const none =
      '401: it was not asked; contractChecks(api, { headers }) takes credentials that it admits';
    expect(await faults({ openapi, handlers: () => handlers })).toEqual({
      'GET /s200': [],
      'GET /s400': ['400 1'],
      'GET /s401': [none],
      'GET /s403': [],
      'GET /s404': [],
      'GET /s409': [],
      'GET /s418': [expect.stringMatching(/418/)],
      'GET /s500': [expect.stringMatching(/^500 /)],
      'GET /s503': [expect.stringMatching(/^503 /)],
    });
    // A mock has nothing else to answer with.
    const mocked = await faults({ openapi, mocks: true });
    expect(Object.values(mocked)).toEqual(statuses.map(() => []));
  });

  it('asks with the credentials that it is given', async () => {
    const secured = file(
      'secured.yaml',
      `openapi: 3.1.0
info: { title: Secured, version: 1.0.0 }
paths:
  /a: { get: { operationId: getA, security: [{ token: [] }], responses: { '200': { description: It. }, '401': { description: No. } } } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`,
    );
    const api: Api = {
      openapi: secured,
      handlers: () => ({ getA: () => ({ status: 200 }) }),
      security: { token: (token: string) => (token === 'mine' ? { name: 'me' } : undefined) },
    };
    expect(await faults(api)).toEqual({ 'GET /a': [expect.stringMatching(/^401: /)] });
    expect(await faults(api, { Authorization: 'Bearer mine' })).toEqual({ 'GET /a': [] });
  });

  it('passes over what no request can be made for, and says why', async () => {
    const text = `openapi: 3.1.0
info: { title: Impossible, version: 1.0.0 }
paths:
  /a/{id}:
    get:
      operationId: getA
      parameters: [{ name: id, in: path, required: true, schema: { not: {} } }]
      responses: { '200': { description: It. } }
    put:
      operationId: putA
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      requestBody: { required: true, content: { application/json: { schema: { not: {} } } } }
      responses: { '204': { description: It. } }
`;
    const graphql = file(
      'impossible.graphql',
      'type Query { a(loop: Loop!): Int b: Int }\ninput Loop @oneOf { next: Loop end: Int }\n',
    );
    const api = { openapi: file('impossible.yaml', text), graphql, mocks: true, lenient: true };
    const none = 'its schemas admit no value that can be made';
    expect(await faults(api)).toEqual({
      'GET /a/{id}': [expect.stringMatching(/^no text for getA id: /)],
      'PUT /a/{id}': [none],
      'Query.a': ['its arguments admit no value that can be made'],
      'Query.b': [],
    });
    const { checks, stop } = await contractChecks(api);
    const put = checks.find(({ name }) => name.startsWith('PUT'));
    expect(await put?.ask()).toEqual([none]);
    await stop();
  });

  it('admits the refusals of resolvers, and no failure', async () => {
    const codes: ErrorCode[] = [
      ...(['invalid-request', 'not-found', 'conflict', 'unauthenticated', 'forbidden'] as const),
      ...(['internal-error', 'unavailable'] as const),
    ];
    const name = (code: string) => code.replace('-', '_');
    const graphql = file(
      'codes.graphql',
      `type Query { ${codes.map((code) => `${name(code)}: Int`).join(' ')} must: Int! }\n`,
    );
    const refuse = (code: ErrorCode) => () => {
      throw new ApiError(code);
    };
    const resolvers = {
      Query: {
        ...Object.fromEntries(codes.map((code) => [name(code), refuse(code)])),
        must: () => null,
      },
    };
    expect(await faults({ graphql, resolvers })).toEqual({
      'Query.invalid_request': [],
      'Query.not_found': [],
      'Query.conflict': [],
      'Query.unauthenticated': [],
      'Query.forbidden': [],
      'Query.internal_error': [expect.stringMatching(/ \(query \{ internal_error \}\)$/)],
      'Query.unavailable': [expect.stringMatching(/ \(query \{ unavailable \}\)$/)],
      'Query.must': [expect.stringMatching(/ \(query \{ must \}\)$/)],
    });
  });
});

describe('a request of contractChecks', () => {
  it('has its body, whatever the method', async () => {
    const text = `openapi: 3.1.0
info: { title: Bodies, version: 1.0.0 }
paths:
  /a:
    delete:
      operationId: removeA
      requestBody: { required: true, content: { application/json: { schema: { const: [1] } } } }
      responses: { '200': { description: It., content: { application/json: { schema: { const: [1] } } } } }
`;
    const handlers = { removeA: ({ body }: { body: unknown }) => ({ status: 200, body }) };
    const api = { openapi: file('bodies.yaml', text), handlers: () => handlers };
    expect(await faults(api)).toEqual({ 'DELETE /a': [] });
  });

  it('that is refused as a whole is told with its answer', async () => {
    const graphql = file('days.graphql', 'type Query { on(day: Day!): Int }\nscalar Day\n');
    const Day = new GraphQLScalarType({
      name: 'Day',
      parseValue: () => {
        throw new TypeError('no day');
      },
    });
    const api = { graphql, scalars: { Day }, resolvers: { Query: { on: () => 1 } } };
    expect(await faults(api)).toEqual({
      'Query.on': [expect.stringMatching(/^200 \{"errors":.*no day/)],
    });
  });

  it('needs the contract, without which no server is left', async () => {
    const gone = file('gone.yaml', readFileSync(openapi, 'utf8'));
    const handlers = () => {
      rmSync(gone);
      return {};
    };
    await expect(contractChecks({ openapi: gone, handlers, mocks: true })).rejects.toThrow('gone');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('fails where the server has stopped', async () => {
    const { checks, stop } = await contractChecks({ openapi, mocks: true });
    await stop();
    await expect(checks[0]?.ask()).rejects.toThrow('ECONNREFUSED');
  });
});

describe('startTestServer', () => {
  it('has a database of its own until it stops, and logs errors', async () => {
    const handlers = {
      s200: () => {
        throw new Error('the pump is broken');
      },
    };
    const { url, stop } = await startTestServer({ openapi, handlers: () => handlers, mocks: true });
    expect(readdirSync(temporary)).toHaveLength(1);
    expect((await fetch(`${url}/s200`)).status).toBe(500);
    await stop();
    expect(said).toContain('the pump is broken');
    expect(said).not.toContain('"level":"info"');
    expect(readdirSync(temporary)).toEqual([]);
    await expect(fetch(`${url}/s200`)).rejects.toThrow();
  });

  it('leaves nothing where it cannot start', async () => {
    const none = pathToFileURL(join(folder, 'none.yaml'));
    await expect(startTestServer({ openapi: none, mocks: true })).rejects.toThrow('none.yaml');
    expect(readdirSync(temporary)).toEqual([]);
  });
});
