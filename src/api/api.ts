import { policy } from './access.ts';
import { seedDemo } from './demo.ts';
import { createHandlers } from './handlers.ts';
import { resolvers } from './resolvers.ts';
import { tables } from './tables.ts';

/** The API of this repository, as the kit serves it. */
export const api = {
  openapi: new URL('../../openapi.yaml', import.meta.url),
  graphql: new URL('../../schema.graphql', import.meta.url),
  tables,
  migrations: new URL('migrations/', import.meta.url),
  handlers: createHandlers,
  resolvers,
  policy,
  demo: seedDemo,
};
