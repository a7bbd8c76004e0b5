import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLScalarType, type GraphQLSchema } from 'graphql';
import type { CheckCache } from '../contract/check-cache.ts';
import { enforceBounds } from './bounds.ts';
import { keepLargeLiterals } from './exact-scalars.ts';
import { keepOutcomes } from './execution.ts';
import { keepSources } from './field-source.ts';
import { mockFields } from './mock-fields.ts';
import { checkResolvers, type Resolvers, type Scalars } from './resolver-check.ts';
import { type OnWarning, readSdl, sdlError } from './sdl-check.ts';

export type SchemaOptions = {
  readonly file?: string | undefined;
  /** One for each custom scalar that the resolvers do not have. */
  readonly scalars?: Scalars | undefined;
  /**
   * Given where the contract is only mocked or proxied: told of faults that leave a single meaning. Resolvers and
   * scalars may then be missing.
   */
  readonly onWarning?: OnWarning | undefined;
  /** Given where fields without a resolver are mocked: the seed of their values. */
  readonly mockSeed?: number | undefined;
  /** Where it knows the SDL, the SDL is read and not checked; resolvers are. */
  readonly checks?: CheckCache | undefined;
};

/** Joins an SDL and its resolvers; one that is broken or does not fit them is refused with a line. */
export function createSchema(
  sdl: string,
  resolvers: Resolvers,
  options: SchemaOptions = {},
): GraphQLSchema {
  try {
    return joined(sdl, resolvers, options);
  } catch (error) {
    const { checks, onWarning } = options;
    if (!checks) throw error;
    // An SDL that is known has no places for the error to tell.
    const untold = { ...options, checks: undefined, onWarning: onWarning && (() => {}) };
    return joined(sdl, resolvers, untold);
  }
}

function joined(
  sdl: string,
  resolvers: Resolvers,
  { file = 'schema.graphql', scalars = {}, onWarning, mockSeed, checks }: SchemaOptions,
): GraphQLSchema {
  const read = readSdl(sdl, file, onWarning, checks);
  const mocks = mockSeed !== undefined;
  if (!onWarning || mocks) checkResolvers(read, resolvers, scalars, { file, mocks });
  try {
    const all = [...[resolvers].flat(), scalars].map(withoutNames);
    // The schema and not its SDL: graphql-tools would merge the definitions once more, which takes longer than all else.
    // Without resolvers it would only copy the schema, which takes a third as long as reading it.
    const schema = all.some((each) => Object.keys(each).length > 0)
      ? makeExecutableSchema({ typeDefs: read.schema, resolvers: all })
      : read.schema;
    if (mocks) mockFields(schema, mockSeed);
    keepSources(schema, [resolvers].flat());
    enforceBounds(schema);
    keepLargeLiterals(schema);
    keepOutcomes(schema);
    return schema;
  } catch (error) {
    throw sdlError(file, read.ast, error);
  }
}

/** Scalars by their functions alone: graphql-tools would put the rest, such as a missing description, above the SDL. */
function withoutNames(resolvers: object): Record<string, never> {
  const entries = Object.entries(resolvers).map(([name, each]) => {
    if (!(each instanceof GraphQLScalarType)) return [name, each];
    const { serialize, parseValue, parseLiteral } = each;
    const { coerceOutputValue, coerceInputValue, coerceInputLiteral } = each;
    const functions = {
      ...{ __serialize: serialize, __parseValue: parseValue, __parseLiteral: parseLiteral },
      __coerceOutputValue: coerceOutputValue,
      __coerceInputValue: coerceInputValue,
      ...(coerceInputLiteral && { __coerceInputLiteral: coerceInputLiteral }),
    };
    return [name, functions];
  });
  // graphql-tools has no type for what it reads of a scalar here.
  return Object.fromEntries(entries);
}
