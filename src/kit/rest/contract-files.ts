import type { components } from '../../../generated/openapi.d.ts';
import type { Contract } from '../contract/contract.ts';
import { ApiError } from '../errors.ts';
import { json } from '../json-text.ts';

/** Both contracts themselves, as written, and the one in YAML as JSON. */
export function contractHandlers({ text, document }: Contract, sdl: string) {
  const body = json<components['schemas']['Contract']>(document);
  const headers = {};
  return {
    yaml: () => ({ status: 200, headers, body: text }) as const,
    graphql: () => ({ status: 200, headers, body: sdl }) as const,
    json: () => ({ status: 200, headers, body }) as const,
  };
}

/** For contracts that are private. */
export function privateContractHandlers() {
  const absent = (): never => {
    throw new ApiError('not-found');
  };
  return { yaml: absent, graphql: absent, json: absent };
}
