import { type IExecutableSchemaDefinition, makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { enforceBounds } from './bounds.ts';
import { mutations } from './mutations.ts';
import { keepOutcomes } from './outcome.ts';
import { queries } from './queries.ts';
import { postRelations, userRelations } from './relations.ts';
import type { ResolverMap } from './resolver-map.ts';

const resolvers: ResolverMap = {
  Query: queries,
  Mutation: mutations,
  User: userRelations,
  Post: postRelations,
  Comment: {},
  Book: {},
  Todo: {},
};

type Resolvers = NonNullable<IExecutableSchemaDefinition['resolvers']>;

/** Joins an SDL and its resolvers; one that is broken or does not fit them is refused with a line. */
export function createSchema(sdl: string, given: Resolvers = resolvers): GraphQLSchema {
  try {
    const schema = makeExecutableSchema({
      typeDefs: sdl,
      resolvers: given,
      resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
    });
    enforceBounds(schema);
    keepOutcomes(schema);
    return schema;
  } catch (error) {
    const [reason] = String(error)
      .replace(/^\w*Error: /, '')
      .split('\n');
    throw new Error(`schema.graphql is not a valid contract: ${reason}`, { cause: error });
  }
}
