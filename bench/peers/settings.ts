import { readFileSync } from 'node:fs';

/** Where a peer listens and which database it opens: the runner says. */
export const port = Number(process.env.PORT);
export const host = '127.0.0.1';
export const databaseUrl = process.env.DATABASE_URL ?? 'sqlite::memory:';

/** The contracts that every peer serves, as they are. */
export const contractFile = new URL('../../openapi.yaml', import.meta.url).pathname;
export const sdl = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
