import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { api } from '../../src/api/api.ts';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';
import { createGraphqlEndpoint } from '../../src/kit/graphql/graphql-endpoint.ts';
import { defaultLimits } from '../../src/kit/graphql/limits/limits.ts';
import { createAccess } from '../../src/kit/http/authentication.ts';
import { asListener } from '../../src/kit/serve.ts';
import { openStore } from '../../src/kit/store/open-store.ts';

/** Serves a schema of the test's own at the GraphQL endpoint. */
export async function serveGraphql(
  sdl: string,
  resolvers: Parameters<typeof createSchema>[1],
  envelopeFaults: (value: unknown) => string[] = () => [],
) {
  const failures: unknown[] = [];
  const deprecated: string[] = [];
  const { store } = await openStore('sqlite::memory:', api);
  const endpoint = createGraphqlEndpoint({
    schema: createSchema(sdl, resolvers),
    digest: '',
    envelopeFaults,
    store,
    access: createAccess<string>(undefined, (_, authenticate) => authenticate()),
    limits: defaultLimits,
    introspection: true,
    onFailure: (cause) => failures.push(cause),
    onDeprecated: (coordinate) => deprecated.push(coordinate),
    onExecuted: () => {},
    onLookup: () => {},
  });
  const server = createServer(asListener(endpoint));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    failures,
    deprecated,
    async graphql(query: string, variables?: object) {
      const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, json: Object(await response.json()) };
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await store.close();
    },
  };
}
