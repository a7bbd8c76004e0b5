// engines: sqlite
import { expect, it } from 'vitest';
import { serveGraphql } from '../../support/graphql-server.ts';

it('the drain of a server ends its subscriptions, which are to begin again elsewhere', async () => {
  let isOpen = true;
  const silent = {
    [Symbol.asyncIterator]: () => silent,
    next: () => new Promise<never>(() => {}),
    return: async () => {
      isOpen = false;
      return { done: true, value: undefined };
    },
  };
  const server = await serveGraphql(
    'type Query { a: Int } type Subscription { a: Int }',
    { Query: { a: () => 1 }, Subscription: { a: { subscribe: () => silent } } },
    {},
  );
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { a }' }),
  });
  const [text] = await Promise.all([response.text(), server.stop()]);
  expect(text).toBe(':\n\n');
  expect(isOpen).toBe(false);
});
