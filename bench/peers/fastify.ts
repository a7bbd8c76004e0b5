import { readFileSync } from 'node:fs';
import mercurius from 'mercurius';
import { parse } from 'yaml';
import { createGlue } from './glue.ts';
import { openGraph, type User } from './graph.ts';
import { contractFile, host, port, sdl } from './settings.ts';

/** Fastify with fastify-openapi-glue for REST, and Mercurius with its JIT for GraphQL. */
const contract = parse(readFileSync(contractFile, 'utf8'));
const { query, mutation, postsOf } = await openGraph();
// The path that Mercurius answers itself.
const { '/graphql': _, ...paths } = contract.paths;
const fastify = await createGlue({ ...contract, paths });
await fastify.register(mercurius, {
  schema: sdl,
  resolvers: { Query: query, Mutation: mutation },
  loaders: {
    User: {
      posts: (queries: { obj: User }[]) => postsOf(queries.map(({ obj }) => obj.id)),
    },
  },
  jit: 1,
});
await fastify.listen({ host, port });
