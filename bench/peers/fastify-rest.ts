import { createGlue } from './glue.ts';
import { contractFile, host, port } from './settings.ts';

/** Fastify with fastify-openapi-glue and nothing else; it is what Accord's start is measured against. */
const fastify = await createGlue(contractFile);
await fastify.listen({ host, port });
