import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { createGraphqlEndpoint } from '../../../src/kit/graphql/graphql-endpoint.ts';
import { defaultLimits } from '../../../src/kit/graphql/limits/limits.ts';
import { useHttpServer } from '../../support/http-server.ts';

let returned = 0;
const source = {
  [Symbol.asyncIterator]: () => source,
  next: () => new Promise<never>(() => {}),
  return: async () => {
    returned++;
    return { done: true, value: undefined };
  },
};
const none = () => {};
const endpoint = createGraphqlEndpoint({
  schema: createSchema('type Query { a: Int } type Subscription { a: Int }', {
    Query: { a: none },
    Subscription: { a: { subscribe: () => source } },
  }),
  ...{
    digest: '',
    envelopeFaults: () => [],
    store: undefined,
    access: () => async () => undefined,
  },
  ...{ limits: defaultLimits, listTimeout: 10_000, introspection: true, fastLane: true },
  ...{ subscriptions: { most: 1, life: 60_000 }, draining: new AbortController().signal },
  ...{ onFailure: none, onLookup: none, onDeprecated: none, onExecuted: none },
});

const { promise: answered, resolve: answer } = Promise.withResolvers<number>();
const http = useHttpServer(async (exchange) => {
  await once(exchange.response, 'close');
  const reply = await endpoint(exchange);
  answer(reply.status);
  return reply;
});

it('A source of events is closed where its client has gone before it began', async () => {
  const headers = { accept: 'text/event-stream' };
  const asked = request(`${http.url}/graphql?query=subscription%7Ba%7D`, { headers }).on(
    'error',
    none,
  );
  const arrived = once(http.server, 'request');
  asked.end();
  await arrived;
  asked.destroy();
  expect(await answered).toBe(200);
  await turn();
  expect(returned).toBe(1);
});
