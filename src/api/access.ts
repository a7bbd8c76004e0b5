import type { GraphqlContext } from '../kit/graphql/context.ts';
import type { Policy } from '../kit/http/authentication.ts';
import type { Store } from './tables.ts';

/** What needs a caller where tokens are verified; everything else is open to all. */
export type Action = 'write' | 'read an e-mail address';

/** Whoever has a valid token may do everything. */
export const policy: Policy<Action> = (_action, authenticate) => authenticate();

/** What resolvers work with. */
export type Context = GraphqlContext<Store, Action>;
