import { createHash } from 'node:crypto';

/** What tells one pair of contracts from another: `cat openapi.yaml schema.graphql | sha256sum`. */
export function contractDigest(openapi: string, sdl: string): string {
  return createHash('sha256').update(openapi).update(sdl).digest('hex');
}
