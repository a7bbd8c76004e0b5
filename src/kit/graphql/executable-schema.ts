import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { enforceBounds } from './bounds.ts';
import { keepOutcomes } from './execution.ts';
import { checkResolvers, type Resolvers, readSdl, sdlError } from './sdl-check.ts';

/** Joins an SDL and its resolvers; one that is broken or does not fit them is refused with a line. */
export function createSchema(
  sdl: string,
  resolvers: Resolvers,
  file = 'schema.graphql',
): GraphQLSchema {
  const read = readSdl(sdl, file);
  checkResolvers(read, resolvers, file);
  try {
    const schema = makeExecutableSchema({ typeDefs: read.ast, resolvers });
    enforceBounds(schema);
    keepOutcomes(schema);
    return schema;
  } catch (error) {
    throw sdlError(file, read.ast, error);
  }
}
