import type { GraphQLSchema } from 'graphql';
import { faultyBody } from './bodies.ts';
import type { Choice } from './choice.ts';
import { type Exchange, inOnePiece, type Pair, type WireRequest } from './compared-exchange.ts';
import { faultyOperation } from './graphql-faults.ts';
import { contentHeaders, oddHeaders, origins } from './headers.ts';
import { type GraphqlOperation, validOperation } from './random-operations.ts';
import { HOST } from './rest-requests.ts';

/** A GraphQL request: an operation, an envelope around it, and what the client accepts. */
export function graphqlExchange(choice: Choice, schema: GraphQLSchema): Exchange {
  const operation = validOperation(choice, schema);
  const [kind, request] = choice.make<readonly [string, WireRequest]>([
    [10, () => ['valid', posted(choice, operation)]],
    [9, () => ['operation', posted(choice, faultyOperation(choice, operation))]],
    [4, () => ['envelope', withBody(posted(choice, operation), envelope(choice, operation))]],
    [1, () => ['body', withBody(posted(choice, operation), faultyBody(choice, {}))]],
    [2, () => ['content headers', oddContent(choice, posted(choice, operation))]],
    [1, () => ['target', elsewhere(choice, posted(choice, operation))]],
  ]);
  return inOnePiece(`graphql: ${kind}`, [request]);
}

const JSON_TYPE: Pair = ['Content-Type', 'application/json'];

function posted(choice: Choice, operation: GraphqlOperation): WireRequest {
  const { query, variables } = operation;
  const hasVariables = Object.keys(variables).length > 0 || choice.isOnceIn(4);
  const extensions = choice.one([undefined, undefined, { contractDigest: true }]);
  const value = { query, ...(hasVariables && { variables }), ...(extensions && { extensions }) };
  return {
    method: 'POST',
    target: '/graphql',
    headers: [
      HOST,
      JSON_TYPE,
      ...(choice.isOnceIn(2) ? [['Accept', choice.one(accepted)] as const] : []),
      ...(choice.isOnceIn(8) ? origins(choice) : []),
      ...(choice.isOnceIn(12) ? oddHeaders(choice) : []),
    ],
    body: Buffer.from(JSON.stringify(value)),
    chunkSize: choice.isOnceIn(20) ? 100 : undefined,
  };
}

const GRAPHQL = 'application/graphql-response+json';
const accepted = [
  ...[GRAPHQL, GRAPHQL, GRAPHQL, 'application/json', '*/*', 'application/*', 'text/html', '', 'x'],
  ...[`${GRAPHQL}; charset=utf-8, application/json; charset=utf-8`, `application/json, ${GRAPHQL}`],
  ...[
    `${GRAPHQL};q=0.1, application/json`,
    'application/json;q=0',
    'application/json; charset=utf-16',
  ],
  ...[GRAPHQL.toUpperCase(), 'application/graphql+json', 'multipart/mixed', 'text/event-stream'],
];

function withBody(request: WireRequest, body: Buffer): WireRequest {
  return { ...request, body };
}

const odd: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1.5,
    '',
    'x',
    [],
    {},
    ['x'],
    { a: 1 },
    '\ud800',
    '\0',
    'x'.repeat(1001),
  ],
];

/** The members of the envelope, one of them odd, missing, doubled or unknown; or something else than an object. */
function envelope(choice: Choice, operation: GraphqlOperation): Buffer {
  const name = operation.query.match(/^\w+ (\w+)/)?.[1] ?? null;
  const whole = { ...operation, operationName: name, extensions: { contractDigest: true } };
  const key = choice.one(['query', 'variables', 'operationName', 'extensions']);
  const { [key]: _, ...without }: Record<string, unknown> = whole;
  const wanted = { contractDigest: choice.one(odd) };
  const text = JSON.stringify(whole);
  const several = `query A { __typename } query B { books { id } } mutation C { __typename }`;
  const value = choice.make<string>([
    [6, () => JSON.stringify({ ...whole, [key]: choice.one(odd) })],
    [2, () => JSON.stringify(without)],
    [2, () => JSON.stringify({ ...whole, extensions: wanted })],
    [2, () => JSON.stringify({ ...whole, [choice.one(['id', 'x', '__proto__', ''])]: 1 })],
    [2, () => text],
    [
      2,
      () =>
        JSON.stringify({
          query: several,
          operationName: choice.one(['A', 'B', 'C', 'D', '', null]),
        }),
    ],
    [1, () => `${text.slice(0, -1)},"query":"{ __typename }"}`],
    [1, () => `${text.slice(0, -1)},"extensions":{"a":37704911942066896,"b":1e-400}}`],
    [1, () => JSON.stringify([whole, whole])],
    [1, () => JSON.stringify(choice.one(odd))],
    [1, () => ` \n${JSON.stringify(whole, undefined, 2)}\n`],
  ]);
  return Buffer.from(value);
}

function oddContent(choice: Choice, request: WireRequest): WireRequest {
  const others = request.headers.filter((each) => each !== JSON_TYPE);
  return { ...request, headers: [...others, ...contentHeaders(choice)] };
}

function elsewhere(choice: Choice, request: WireRequest): WireRequest {
  const query = choice.one([
    '?',
    '?x=1',
    '?query={__typename}',
    '?query=%7B__typename%7D&x',
    '/',
    '#x',
    '?%ff',
  ]);
  const method = choice.one(['POST', 'POST', 'POST', 'GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE']);
  const isAsked = choice.isOnceIn(3);
  const target = choice.one([
    `/graphql${query}`,
    '/GraphQL',
    'http://x/graphql',
    '//graphql',
    '/graphql',
  ]);
  return { ...request, method, target, body: isAsked ? undefined : request.body };
}
