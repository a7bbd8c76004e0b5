import type { Contract } from '../contract/contract.ts';
import { isObject, resolve } from '../contract/openapi-document.ts';
import { traitsOf } from '../contract/schema-traits.ts';
import { invalid } from '../errors.ts';

const MOST_PROPERTIES = 100;
// Ajv and JSON.stringify call themselves for each level.
const MOST_LEVELS = 100;
// With three alternatives a value of so many levels is validated in some 30 ms, one of twice as many in minutes.
const MOST_AMBIGUOUS_LEVELS = 16;
// Comparing so many objects, each with each, takes some 50 ms.
const MOST_COMPARED = 1000;

/** How many values, within a value, are so many that only the first fault is looked for. */
export const MANY_PARTS = 2000;

/** Refuses a value whose validation would take long; tells how many values there are within it. */
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
    if (!isObject(value)) return 1;
    if (!Array.isArray(value) && Object.keys(value).length > members) {
      throw invalid(at, `must not have more than ${members} properties`);
    }
    let parts = 1;
    let level: unknown[] = [value];
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > levels) throw invalid(at, `must not nest more than ${levels} levels deep`);
      level = level.flatMap((each) => {
        if (Array.isArray(each) && each.length > items) {
          throw invalid(at, `must not have more than ${items} items in a list`);
        }
        return Object.values(Object(each)).filter(isPlain);
      });
      parts += level.length;
    }
    return parts;
  };
}

/** Whether a value is an object or a list of JSON: a file and a stream are not looked into. */
function isPlain(value: unknown): boolean {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
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
