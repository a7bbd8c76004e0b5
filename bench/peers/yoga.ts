import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { createContext, resolvers } from './resolvers.ts';
import { host, port, sdl } from './settings.ts';

/** GraphQL Yoga on node:http. */
const yoga = createYoga({
  schema: createSchema({ typeDefs: sdl, resolvers }),
  context: createContext,
  graphiql: false,
  landingPage: false,
  logging: false,
});
createServer(yoga).listen(port, host);
