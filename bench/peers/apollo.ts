import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createContext, resolvers } from './resolvers.ts';
import { host, port, sdl } from './settings.ts';

/** Apollo Server, standalone. */
const server = new ApolloServer({ typeDefs: sdl, resolvers });
await startStandaloneServer(server, {
  context: async () => createContext(),
  listen: { host, port },
});
