import type { Contract } from '../contract/contract.ts';
import { isObject, resolve } from '../contract/openapi-document.ts';
import { invalid } from '../errors.ts';
import { isMap } from './merge-patch.ts';

const MOST_PROPERTIES = 100;
// Ajv and JSON.stringify call themselves for each level.
const MOST_LEVELS = 100;

/** Refuses a value whose validation would take long. */
export type Bound = (value: unknown, at: string) => void;

/**
 * Bounds what the validation of a value costs, where its size does not: how deep it nests. A body has no more
 * properties than its schema can have, or 100: the validator reports every unknown one.
 */
export function createBound(contract: Contract, schema: unknown): Bound {
  const members = Math.max(MOST_PROPERTIES, mostMembers(contract, schema));
  return (value, at) => {
    if (isMap(value) && Object.keys(value).length > members) {
      throw invalid(at, `must not have more than ${members} properties`);
    }
    requireLevels(value, at);
  };
}

/** Refuses a value that nests too deep. */
export function requireLevels(value: unknown, at: string): void {
  let level = [value].filter(isObject);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) {
      throw invalid(at, `must not nest more than ${MOST_LEVELS} levels deep`);
    }
    level = level.flatMap((each) => Object.values(each).filter(isObject));
  }
}

/** The most members that a value can have without being refused for an unknown one. */
function mostMembers({ document }: Contract, schema: unknown): number {
  if (!isObject(schema)) return Number.POSITIVE_INFINITY;
  const {
    properties = {},
    patternProperties,
    additionalProperties,
  } = Object(resolve(document, schema));
  const isClosed = additionalProperties === false && patternProperties === undefined;
  return isClosed ? Object.keys(properties).length : Number.POSITIVE_INFINITY;
}
