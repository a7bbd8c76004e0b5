import { buildSchema } from 'graphql';
import { createGraphqlCheck } from '../../src/kit/cli/proxy/graphql-check.ts';
import type { Exchange } from '../../src/kit/http/exchange.ts';

const schema = buildSchema(`
  type Query { ship(id: ID!): Ship ships: [[Ship!]] thing: Thing named: Named count: Int ratio: Float open: Boolean text: String id: ID day: Day kind: Kind }
  type Mutation { make(in: In!): Ship }
  interface Named { name: String }
  type Ship implements Named { name: String! size: Int port: Port }
  type Port implements Named { name: String ships: [Ship] }
  union Thing = Ship | Port
  enum Kind { SEA RIVER }
  input In { name: String! }
  scalar Day
`);
/** What a proxy holds GraphQL to. */
export const check = createGraphqlCheck(schema);

export type Given = {
  readonly method?: string;
  readonly query?: string;
  readonly type?: string | undefined;
  readonly body?: unknown;
};

/** As much of an exchange as is looked at. */
function exchange({
  method = 'POST',
  query = '',
  type = 'application/json',
  body,
}: Given): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    ...{ method, query, request: { headers: type ? { 'content-type': type } : {} } },
    body: text === undefined ? undefined : Buffer.from(text),
  } as unknown as Exchange;
}

/** What is wrong with a request, and what it asks for. */
export const asked = (given: Given) => {
  const { breaches, asked } = check.request(exchange(given));
  const lines = breaches.map(
    ({ operation, place, message }) => `${operation}: ${place} ${message}`,
  );
  return { lines, asked };
};
