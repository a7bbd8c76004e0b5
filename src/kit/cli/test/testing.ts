import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { buildSchema } from 'graphql';
import type { Api } from '../../api-declaration.ts';
import { readContract } from '../../contract/contract.ts';
import { type Response, violations } from '../../contract/response-check.ts';
import { rootDocuments } from './root-documents.ts';
import { createSampledRequests, type SampledRequest } from './sampled-requests.ts';
import { startTestServer } from './test-server.ts';

export { startTestServer };

/** One operation, or one field of Query or Mutation. */
export type OperationCheck = {
  readonly name: string;
  /** Why no request can be made for it; `node:test` takes it as it is. */
  readonly skip: string | false;
  /** Sends a valid request; what in the answer the contract does not admit. */
  ask(): Promise<string[]>;
};

export type ContractChecks = {
  readonly url: string;
  readonly checks: readonly OperationCheck[];
  stop(): Promise<void>;
};

type Options = {
  /** On each request, instead of made-up credentials. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Serves an API with a new database, and has a check for each of its operations. */
export async function contractChecks(
  api: Api,
  { headers = {} }: Options = {},
): Promise<ContractChecks> {
  const { url, stop } = await startTestServer(api);
  try {
    const send = (sampled: SampledRequest) => answered(url, sampled, headers);
    return {
      url,
      stop,
      checks: [...(await restChecks(api, send)), ...(await graphqlChecks(api, send))],
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

// An operation that no request reaches is not tested.
const NO_ENTRY =
  '401: it was not asked; contractChecks(api, { headers }) takes credentials that it admits';

type Send = (sampled: SampledRequest) => Promise<Response>;

async function restChecks(api: Api, send: Send): Promise<OperationCheck[]> {
  if (!api.openapi) return [];
  const { lenient = false, formats = {} } = api;
  const contract = await readContract(api.openapi, { lenient, formats });
  const sampledOf = createSampledRequests(contract);
  return contract.operations.map((operation) => {
    const valid = attempted(() => sampledOf(operation).valid);
    const none = 'its schemas admit no value that can be made';
    const [first] = Array.isArray(valid) ? valid : [];
    return {
      name: `${operation.method} ${operation.path}`,
      skip: valid instanceof Error ? valid.message : first ? false : none,
      async ask() {
        if (!first) return [none];
        const answer = await send(first);
        const { status, text, headers } = answer;
        // The mock of an operation that declares no success answers with an error.
        const isMocked = headers['accord-mock'] !== undefined;
        if (!isMocked && (status === 400 || status >= 500)) return [`${status} ${text}`];
        if (!isMocked && status === 401) return [NO_ENTRY];
        return violations(contract, first.method, first.target, answer);
      },
    };
  });
}

/** Refusals that a resolver may answer with. */
const refusals = ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'UNAUTHENTICATED', 'FORBIDDEN'];

async function graphqlChecks({ graphql }: Api, send: Send): Promise<OperationCheck[]> {
  if (!graphql) return [];
  const schema = buildSchema(await readFile(graphql, 'utf8'), { assumeValid: true });
  return rootDocuments(schema).map(({ name, document: query }) => ({
    name,
    skip: query === undefined && 'its arguments admit no value that can be made',
    async ask() {
      const { status, text, json } = await send({
        what: name,
        method: 'POST',
        target: '/graphql',
        headers: [['Content-Type', 'application/json']],
        body: Buffer.from(JSON.stringify({ query })),
      });
      const { data, errors = [] } = Object(json);
      if (status !== 200 || data === undefined) return [`${status} ${text}`];
      return [errors]
        .flat()
        .filter(({ extensions }) => !refusals.includes(Object(extensions).code))
        .map(({ message }) => `${message} (${query})`);
    },
  }));
}

function attempted<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Not by `fetch`, which changes targets and knows no TRACE. */
async function answered(
  url: string,
  { method, target, headers, body }: SampledRequest,
  further: Readonly<Record<string, string>>,
): Promise<Response> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, method, path: target });
  for (const [name, value] of [...headers, ...Object.entries(further)]) sent.setHeader(name, value);
  if (body) sent.setHeader('Content-Length', body.length);
  sent.end(body);
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  sent.on('error', reject);
  sent.on('response', (response) => {
    buffer(response).then((bytes) => {
      const text = bytes.toString();
      const parsed = attempted<unknown>(() => JSON.parse(text));
      resolve({
        ...{ status: response.statusCode ?? 0, headers: response.headers, text },
        json: parsed instanceof Error ? undefined : parsed,
      });
    }, reject);
  });
  return promise;
}
