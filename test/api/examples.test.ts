// engines: sqlite, postgres
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import { serveCovered } from '../../src/kit/cli/coverage/serve-covered.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { type Method, resolve } from '../../src/kit/contract/openapi-document.ts';
import type { Operation } from '../../src/kit/contract/operation.ts';
import { ApiError, type ErrorCode } from '../../src/kit/errors.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { problemOf } from '../../src/kit/rest/problem.ts';
import { serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import { type TestServer, useServer } from '../support/api-server.ts';
import { type ApiRequest, type Client, createClient } from '../support/client.ts';

const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));
const { document } = contract;
const open = useServer({ SEED_DEMO: 'true' });
const limited = useServer({ SEED_DEMO: 'true', RATE_LIMIT: '1/3600' });
const crowded = useServer({ MAX_CONNECTIONS: '1' });
const closed = useServer({ SEED_DEMO: 'true', AUTH_SECRET: 's'.repeat(32) });

/** What a request must be like to be answered with an example of a failure. */
const provoking: Readonly<Record<string, (valid: ApiRequest) => ApiRequest>> = {
  UnknownParameter: (valid) => ({ ...valid, path: `${valid.path.split('?')[0]}?colour=red` }),
  AbsentBody: ({ json: _, ...valid }) => valid,
  NotJson: ({ json: _, ...valid }) => ({ ...valid, body: '{', headers: jsonType }),
  NotFound: (valid) => ({ ...valid, path: valid.path.replace('/2', '/9007199254740991') }),
  UnknownLanguage: (valid) => ({ ...valid, path: '/greet/tlh' }),
  MethodNotAllowed: ({ path }) => ({ method: 'PATCH', path }),
  PreconditionFailed: (valid) => ({ ...valid, headers: { 'if-match': '"0"' } }),
  PayloadTooLarge: ({ json: _, ...valid }) => ({
    ...valid,
    body: Buffer.alloc(262_145, 32),
    headers: jsonType,
  }),
  Unauthenticated: (valid) => valid,
  TooManyRequests: (valid) => valid,
  GraphqlRefused: (valid) => ({ ...valid, json: {} }),
};
const jsonType = { 'content-type': 'application/json' };

/** Where an example of a failure is answered, when not by an open server. */
const servers: Readonly<Record<string, TestServer>> = {
  Unauthenticated: closed,
  TooManyRequests: limited,
};

/** One connection is all that it takes on, and that one is idle; for long it would not be kept. */
async function whileCrowded<T>(use: (api: Client) => Promise<T>): Promise<T> {
  const { port, hostname } = new URL(crowded.url);
  const idle = connect(Number(port), hostname);
  await once(idle, 'connect');
  try {
    return await use(crowded.api);
  } finally {
    idle.destroy();
  }
}

async function keyReused(api: Client, valid: ApiRequest) {
  const headers = { 'idempotency-key': 'reused' };
  await api({ ...valid, headers });
  const fields = Object.entries(Object(valid.json));
  const [field] = fields.find(([, value]) => typeof value === 'string') ?? [];
  return api({ ...valid, headers, json: { ...Object(valid.json), [String(field)]: 'Another' } });
}

/** What no request to these servers can bring about: the shape is checked where it is made. */
const unprovoked: Readonly<Record<string, ErrorCode>> = {
  PrivateContract: 'not-found',
  InternalError: 'internal-error',
  Unavailable: 'unavailable',
};

type Example = {
  readonly title: string;
  readonly operation: Operation;
  readonly status: number;
  readonly name: string;
  readonly value: unknown;
};

const examples = contract.operations.flatMap((operation) => examplesOf(operation));

describe('every example of openapi.yaml is what the server answers', () => {
  it.each(examples)('$title', async ({ operation, status, name, value }) => {
    const code = unprovoked[name];
    if (code) return expect(problemOf(new ApiError(code))).toEqual(value);
    // The sizes of a payload and the media types of GraphQL share one example of a refusal.
    if (name === 'GraphqlRefused' && status !== 400) return;
    const provoke = provoking[name] ?? ((valid: ApiRequest) => valid);
    const send = (api: Client) => api(provoke(validRequest(operation)));
    const isWrite = operation.method !== 'GET' && status < 300;
    const { api } = servers[name] ?? open;
    // The first of several is the one that the others are refused for.
    if (name === 'TooManyRequests') await send(api);
    const answer = await (name === 'KeyReused'
      ? onDemoData((demo) => keyReused(demo, validRequest(operation)))
      : name === 'GraphqlUnavailable'
        ? whileCrowded(send)
        : isWrite
          ? onDemoData(send)
          : send(api));
    expect(answer.status).toBe(status);
    // Of the contract in JSON the example shows the outermost members only.
    const isPart = operation.id === 'getContractJson' && status === 200;
    expect(answer.json).toEqual(isPart ? document : value);
  });

  it('there are examples for every operation', () => {
    expect(new Set(examples.map(({ operation }) => operation.id)).size).toBe(
      contract.operations.length,
    );
  });
});

describe('every operation of operations.graphql is answered as it says', () => {
  const source = readFileSync(new URL('../../operations.graphql', import.meta.url), 'utf8');
  const operations = parse(source).definitions.filter(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION,
  );
  const named = operations.map((definition, i) => {
    const before = source.slice(operations[i - 1]?.loc?.end ?? 0, definition.loc?.start);
    const note = (word: string) => before.match(new RegExp(`^# ${word} (.*)$`, 'm'))?.[1] ?? 'null';
    const query = source.slice(definition.loc?.start, definition.loc?.end);
    const variables = JSON.parse(note('variables'));
    return {
      name: query.match(/\w+ (\w+)/)?.[1],
      query,
      variables,
      data: JSON.parse(note('answers')),
    };
  });

  it.each(named)('$name', async ({ query, variables, data }) => {
    const json = { query, variables };
    const send = (api: Client) => api({ method: 'POST', path: '/graphql', json });
    const answer = await (query.startsWith('mutation') ? onDemoData(send) : send(open.api));
    expect(answer.json).toEqual({ data });
  });
});

/** A write is sent to a server of its own, so that it finds the demo data as it was. */
async function onDemoData<T>(use: (api: Client) => Promise<T>): Promise<T> {
  const { CONTRACT_COVERAGE: folder } = process.env;
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', SEED_DEMO: 'true', ...atOnce };
  const options = { settings: readSettings(env), log: createLog('silent', () => {}) };
  const running = await (folder ? serveCovered(folder, api, options) : serve(api, options));
  try {
    return await use(await createClient(running.url, contract));
  } finally {
    await running.stop();
  }
}

/** A request made of the examples for the parameters and the body. */
function validRequest(operation: Operation): ApiRequest {
  const { parameters = [], requestBody } = objectOf(operation);
  const shared = document.paths[operation.path]?.parameters ?? [];
  const given = [...shared, ...parameters].map((each) => Object(resolve(document, each)));
  const exampleOf = ({ example }: { example: unknown }) => String(example);
  const among = (place: string) => given.filter((parameter) => parameter.in === place);
  const path = among('path').reduce(
    (template, parameter) => template.replace(`{${parameter.name}}`, exampleOf(parameter)),
    operation.path,
  );
  const query = new URLSearchParams();
  for (const each of among('query')) {
    // The examples of lists are without filters.
    if (each.example !== undefined) query.set(each.name, exampleOf(each));
  }
  const headers = Object.fromEntries(among('header').map((each) => [each.name, exampleOf(each)]));
  const media = requestBody && resolve(document, requestBody).content['application/json'];
  const [example] = Object.values(Object(media).examples ?? {});
  const json = example && Object(resolve(document, Object(example))).value;
  return {
    method: operation.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers,
    ...(json !== undefined && { json }),
  };
}

function examplesOf(operation: Operation): Example[] {
  return Object.entries(objectOf(operation).responses).flatMap(([status, response]) =>
    Object.values(
      Object(resolve(document, response)).content?.['application/json']?.examples ?? {},
    ).map((example) => {
      const name =
        String(Object(example).$ref ?? '')
          .split('/')
          .at(-1) ?? '';
      const { value } = Object(resolve(document, Object(example)));
      const title = `${operation.id} ${status} ${name}`;
      return { title, operation, status: Number(status), name, value };
    }),
  );
}

function objectOf({ path, method }: Operation) {
  const object = contract.document.paths[path]?.[method.toLowerCase() as Method];
  if (!object) throw new Error(`${method} ${path} is not in the contract`);
  return object;
}
