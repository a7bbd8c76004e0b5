import type { securitySchemes } from '../../generated/openapi.d.ts';
import type { Api } from '../kit/api-declaration.ts';
import { byPolicy } from '../kit/rest/security.ts';
import { type Action, policy } from './access.ts';
import { seedDemo } from './demo.ts';
import { createHandlers } from './handlers.ts';
import { resolvers } from './resolvers.ts';
import { type Store, tables } from './tables.ts';

/** The API of this repository, as the kit serves it. */
export const api = {
  openapi: new URL('../../openapi.yaml', import.meta.url),
  graphql: new URL('../../schema.graphql', import.meta.url),
  tables,
  migrations: new URL('migrations/', import.meta.url),
  handlers: createHandlers,
  resolvers,
  policy,
  security: { bearer: byPolicy },
  demo: seedDemo,
  firstLook: '/books',
} satisfies Api<Store, Action, securitySchemes>;
