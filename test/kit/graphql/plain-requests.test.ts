import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';
import { compare } from '../../support/compare.ts';
import type { WireRequest } from '../../support/lane-requests.ts';

const demo = { SEED_DEMO: 'true' };
const lane = useServer(demo);
const full = useServer({ ...demo, FAST_LANE: 'off' });

const queries = fc.constantFrom<unknown>(
  ...[
    '{ books { id title } }',
    'query One($id: ID!) { book(id: $id) { id title } }',
    'query A { __typename } query B($id: ID!) { book(id: $id) { pages } }',
    '{ users { name posts { title } } }',
    'mutation Add($title: String!) { addTodo(title: $title) { id title done } }',
    '{ users { email } }',
    '{ nothing }',
    '{',
    'subscription { nothing }',
    '',
  ],
  ...[null, 1, undefined],
);
const variables = fc.constantFrom<unknown>(
  ...[undefined, null, {}, { id: '1' }, { id: 2 }, { id: '0' }, { id: {} }, { title: 'T' }],
  ...[{ title: '' }, { id: 12345678901234567890n }, [], 'id', 1],
);
const operationNames = fc.constantFrom<unknown>(undefined, null, 'One', 'A', 'B', 'C', '', 1);
const extensions = fc.constantFrom<unknown>(
  ...[undefined, undefined, undefined, null, {}, { contractDigest: true }, [], 1],
);
const accepts = fc.constantFrom(
  ...[undefined, '*/*', 'application/json', 'application/graphql-response+json'],
  ...['application/*', 'APPLICATION/JSON', 'text/html', 'application/json;charset=latin1', ''],
  ...['text/html, application/graphql-response+json', 'text/event-stream', 'application/json;q=0'],
);

const requests: fc.Arbitrary<WireRequest> = fc
  .record({ query: queries, variables, operationName: operationNames, extensions, accept: accepts })
  .map(({ accept, ...envelope }) => ({
    method: 'POST',
    target: '/graphql',
    headers: [
      ['Content-Type', 'application/json'],
      ...(accept === undefined ? [] : [['Accept', accept] as const]),
    ],
    // A bigint is written as the number it is.
    body: Buffer.from(
      JSON.stringify(envelope, (_, value) => (typeof value === 'bigint' ? `${value}#` : value))
        // Which JSON.stringify has no other way to write.
        .replaceAll(/"(\d+)#"/g, '$1'),
    ),
  }));

it('answers a plain request as graphql-http does, to the byte', async () => {
  const statuses = await compare([lane.url, full.url], requests, 2000);
  expect([...statuses.keys()].sort()).toEqual(['200', '400', '406']);
});
