import type { Ajv2020, AnySchemaObject, ErrorObject } from 'ajv/dist/2020.js';
import { ApiError } from '../errors.ts';
import { equality, isScalar, uniqueItems } from './equal-values.ts';
import { partsIn } from './inherited-names.ts';
import { isObject } from './openapi-document.ts';
import { COMPONENTS, mapSchemas, type SchemaForms } from './schema-forms.ts';
import type { Traits } from './schema-traits.ts';

const STEP = 'x-step';
// So many take some 20 ms.
const SURE_STEPS = 100_000;
// A value that is asked each schema once, or so many, is admitted, up to a size that takes some 200 ms.
const LEAST_STEPS = 10;
const MOST_STEPS = 1_200_000;
// So many characters, items or members cost as much as a step.
const LENGTH_OF_A_STEP = 16;
// So many that each object of a large body has take some 200 ms.
const MANY_DEFAULTS = 10;
// The steps of each value in a list whose items must differ.
const STEPS_TO_COMPARE = 4;

/** Says whether a value is valid, fills in defaults, and leaves the errors; throws `TooLong` where it is bounded. */
export type Validate = {
  (value: unknown): boolean;
  errors?: null | ErrorObject[];
  /** How many Ajv itself would make of items that must differ: their number times what is in them. */
  comparisons?: number;
};

/** A value takes too long to validate. */
export class TooLong extends ApiError {
  constructor(why: string) {
    super('invalid-request', { detail: `The request takes too long to validate: ${why}.` });
  }
}

/** Whether the validation of a value may cost more than its size. */
export function isCostly({ branches, comparesItems, comparesValues, defaults }: Traits): boolean {
  return branches || comparesItems || comparesValues || defaults > MANY_DEFAULTS;
}

/**
 * Validates in a bounded number of steps. A step is a schema that is asked of a value, where one leads to itself in
 * several ways; items that must differ take some as well. `ajv` is for this schema alone.
 */
export function createCountedValidate(
  { schemas, components }: SchemaForms,
  { branches, schemaCount, defaults }: Traits,
  ajv: Ajv2020,
): Validate {
  let steps = 0;
  let comparisons = 0;
  const take = (count: number, why: string) => {
    steps -= count;
    if (steps < 0) throw new TooLong(why);
  };
  // Before what leads on to others.
  ajv.addKeyword({
    ...{ keyword: STEP, before: 'not', errors: false },
    validate(_: unknown, value: unknown, schema?: AnySchemaObject) {
      take(stepsOf(value, schema), 'schemas that contain themselves nest too deep');
      return true;
    },
  });
  const compare = (isDemanded: boolean, items: readonly unknown[], schema?: AnySchemaObject) => {
    if (!isDemanded) return true;
    const size = sizeOf(items);
    take(STEPS_TO_COMPARE * size, 'lists whose items must differ are too long');
    if (!isScalar(schema?.items)) comparisons += items.length * size;
    const isDistinct = uniqueItems.validate(isDemanded, items, schema);
    compare.errors = uniqueItems.validate.errors;
    return isDistinct;
  };
  compare.errors = uniqueItems.validate.errors;
  for (const keyword of [...equality, { ...uniqueItems, validate: compare }]) {
    ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  }
  for (const [name, form] of Object.entries(components)) {
    const counting = (schema: object) => ({ ...schema, [STEP]: true });
    ajv.addSchema(branches ? mapSchemas(form, counting) : form, COMPONENTS + name);
  }
  const validate = ajv.compile(schemas.schema ?? true);
  const counted: Validate = (value) => {
    const each = Math.max(LEAST_STEPS, schemaCount);
    steps = Math.min(MOST_STEPS, SURE_STEPS + each * sizeOf(value));
    comparisons = 0;
    take(defaults * partsIn(value).length, 'too many members have defaults');
    const isValid = validate(value);
    Object.assign(counted, { errors: validate.errors, comparisons });
    return isValid;
  };
  return counted;
}

/** The steps of asking one schema of each value in a value. */
function sizeOf(value: unknown): number {
  let size = 0;
  for (const part of partsIn(value)) {
    for (const each of Object.values(part)) size += stepsOf(each);
  }
  return size;
}

function stepsOf(value: unknown, schema?: AnySchemaObject): number {
  if (typeof value === 'string' || Array.isArray(value)) return 1 + value.length / LENGTH_OF_A_STEP;
  if (!isObject(value)) return 1;
  const names = Object.keys(value).length;
  const patterns = Object.keys(schema?.patternProperties ?? {}).length;
  return 1 + names / LENGTH_OF_A_STEP + names * patterns;
}
