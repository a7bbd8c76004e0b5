import type { Contract } from '../contract/contract.ts';
import { isObject, resolve } from '../contract/openapi-document.ts';
import { traitsOf } from '../contract/schema-traits.ts';
import { invalid } from '../errors.ts';
import { isMap } from './merge-patch.ts';

const MOST_PROPERTIES = 100;
// Ajv and JSON.stringify call themselves for each level.
const MOST_LEVELS = 100;
// With three alternatives a value of so many levels is validated in some 30 ms, one of twice as many in minutes.
const MOST_AMBIGUOUS_LEVELS = 16;
// Comparing so many objects, each with each, takes some 50 ms.
const MOST_COMPARED = 1000;

/** How many objects and lists are so many, in a value, that only the first fault is looked for. */
export const MANY_PARTS = 2000;

/** Refuses a value whose validation would take long; tells how many objects and lists there are in it. */
export type Bound = (value: unknown, at: string) => number;

/**
 * Bounds what the validation of a value costs, where its size does not: nesting, and items that must differ. A body
 * has no more properties than its schema can have, or 100: the validator reports every unknown one.
 */
export function createBound(contract: Contract, schema: unknown): Bound {
  const { isAmbiguous, comparesItems } = traitsOf(contract.requestSchemas({ schema }));
  const levels = isAmbiguous ? MOST_AMBIGUOUS_LEVELS : MOST_LEVELS;
  const items = comparesItems ? MOST_COMPARED : Number.POSITIVE_INFINITY;
  const members = Math.max(MOST_PROPERTIES, mostMembers(contract, schema));
  return (value, at) => {
    if (isMap(value) && Object.keys(value).length > members) {
      throw invalid(at, `must not have more than ${members} properties`);
    }
    let parts = 0;
    let level = [value].filter(isObject);
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > levels) throw invalid(at, `must not nest more than ${levels} levels deep`);
      parts += level.length;
      level = level.flatMap((each) => {
        if (Array.isArray(each) && each.length > items) {
          throw invalid(at, `must not have more than ${items} items in a list`);
        }
        return Object.values(each).filter(isObject);
      });
    }
    return parts;
  };
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
