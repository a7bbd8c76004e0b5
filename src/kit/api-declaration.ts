import type { Contract } from './contract/contract.ts';
import type { Formats } from './contract/formats.ts';
import type { Resolvers, Scalars } from './graphql/resolver-check.ts';
import type { Policy } from './http/authentication.ts';
import type { MockOptions } from './mock/mocks.ts';
import type { AnyHandlers, HandlerParts } from './rest/handler.ts';
import type { AnyProblemFunction } from './rest/problem-reply.ts';
import type { AnySecurity, Security } from './rest/security.ts';
import type { Tables } from './store/table-declarations.ts';

/** What an API brings: its contracts, its tables and its code. */
export type Api<Store = never, Action = never, Schemes = Record<never, never>> = {
  /** An OpenAPI description; without it there is GraphQL alone. */
  readonly openapi?: URL;
  /** What `format` means in it, beside the standard formats. */
  readonly formats?: Formats;
  /** An SDL, and the resolvers for it. */
  readonly graphql?: URL;
  readonly resolvers?: Resolvers;
  /** How the values of the SDL's own scalars are read and written: one for each. */
  readonly scalars?: Scalars;
  readonly handlers?: (parts: HandlerParts<Store>) => AnyHandlers;
  /**
   * Whether operations without a handler and fields without a resolver are answered from the contract; security
   * functions may be left out too.
   */
  readonly mocks?: boolean | MockOptions;
  /** Who may do what; without it everybody may do everything. */
  readonly policy?: Policy<Action>;
  /** Without tables there is no database. */
  readonly tables?: Tables;
  /** A folder with the migrations of each engine. */
  readonly migrations?: URL;
  /** Fills a new database with a little to look at; `createExamples` creates what the contract shows. */
  readonly demo?: (store: Store, contract: Contract) => Promise<void>;
  /** A path worth a first look. */
  readonly firstLook?: string;
  /** Whether faults of the contracts that leave one meaning are warnings: for contracts of others. */
  readonly lenient?: boolean;
  /** Says errors in the contract's own shape (`ProblemFunction`). */
  readonly problem?: AnyProblemFunction;
} & Secured<Schemes>;

/** One function for each of the generated `securitySchemes`. */
type Secured<Schemes> = [keyof Schemes] extends [never]
  ? { readonly security?: AnySecurity }
  : { readonly security: Security<Schemes> };

/** The tables of an API and their migrations; undefined where it has none. */
export function tablesOf({ tables, migrations }: Api) {
  return tables && migrations && { tables, migrations };
}
