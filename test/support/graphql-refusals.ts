import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLError } from 'graphql';
import { validatorWithin } from '../../src/kit/graphql/limits/document-validator.ts';
import { defaultLimits, type Limits } from '../../src/kit/graphql/limits/limits.ts';

const schema = makeExecutableSchema({
  typeDefs: readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'),
});

/** What a document is refused with: nothing, or code and message of each error. */
export function refusals(
  text: string,
  changed: Partial<Limits> = {},
  introspection = true,
): string[] {
  const validate = validatorWithin({ ...defaultLimits, ...changed }, schema, { introspection });
  const found = validate(text);
  return 'faults' in found ? found.faults.map(line) : [];
}

const line = (error: GraphQLError): string => `${error.extensions.code}: ${error.message}`;

/** As many parts as told, one after the other. */
export const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');
