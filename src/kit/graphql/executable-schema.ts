import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { mutations } from '../../api/mutations.ts';
import { queries } from '../../api/queries.ts';
import { postRelations, userRelations } from '../../api/relations.ts';
import type { ResolverMap } from '../../api/resolver-map.ts';
import { enforceBounds } from './bounds.ts';
import { keepOutcomes } from './execution.ts';
import { checkResolvers, type Resolvers, readSdl, sdlError } from './sdl-check.ts';

const resolvers: ResolverMap = {
  Query: queries,
  Mutation: mutations,
  User: userRelations,
  Post: postRelations,
  Comment: {},
  Book: {},
  Todo: {},
};

/** Joins an SDL and its resolvers; one that is broken or does not fit them is refused with a line. */
export function createSchema(
  sdl: string,
  given: Resolvers = resolvers,
  file = 'schema.graphql',
): GraphQLSchema {
  const read = readSdl(sdl, file);
  checkResolvers(read, given, file);
  try {
    const schema = makeExecutableSchema({ typeDefs: read.ast, resolvers: given });
    enforceBounds(schema);
    keepOutcomes(schema);
    return schema;
  } catch (error) {
    throw sdlError(file, read.ast, error);
  }
}
