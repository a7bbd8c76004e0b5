import type { GraphQLSchema } from 'graphql';
import type { Contract } from './contract/contract.ts';
import type { Resolvers } from './graphql/resolver-check.ts';
import { unresolvedFields } from './graphql/resolver-check.ts';

/** What of an API is answered from its contracts, because nobody has written it yet. */
export type MockedParts = {
  /** The ids of the operations without a handler. */
  readonly operations: ReadonlySet<string>;
  /** The fields of root types without a resolver, as `Query.name`. */
  readonly fields: ReadonlySet<string>;
  /** Counted: `12 of 30 operations and 40 of 52 fields are mocked`. */
  readonly line: string;
};

type Parts = {
  readonly contract: Contract;
  readonly handlers: object;
  readonly schema: GraphQLSchema | undefined;
  readonly resolvers: Resolvers;
};

/** Finds what is mocked; undefined where everything is written. */
export function mockedParts(parts: Parts): MockedParts | undefined {
  const { contract, handlers, schema, resolvers } = parts;
  // The GraphQL endpoint answers this one.
  const isServed = ({ path, method }: { path: string; method: string }) =>
    schema !== undefined && path === '/graphql' && method === 'POST';
  const ids = contract.operations.filter((each) => !isServed(each)).map(({ id }) => id);
  const operations = new Set(ids.filter((id) => !Object.hasOwn(handlers, id)));
  const fields = new Set(schema ? unresolvedFields(schema, resolvers) : []);
  if (operations.size + fields.size === 0) return undefined;
  const all = schema ? rootFields(schema) : 0;
  const counts = [
    ...(ids.length > 0 ? [`${operations.size} of ${ids.length} operations`] : []),
    ...(all > 0 ? [`${fields.size} of ${all} fields`] : []),
  ];
  return { operations, fields, line: `${counts.join(' and ')} are mocked` };
}

function rootFields(schema: GraphQLSchema): number {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.flatMap((type) => Object.keys(type?.getFields() ?? {})).length;
}
