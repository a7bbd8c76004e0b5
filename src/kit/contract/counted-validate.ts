import type { Ajv2020, AnySchemaObject, ErrorObject } from 'ajv/dist/2020.js';
import { ApiError } from '../errors.ts';
import { partsIn } from './inherited-names.ts';
import { isObject } from './openapi-document.ts';
import { COMPONENTS, mapSchemas, type SchemaForms } from './schema-forms.ts';
import type { Traits } from './schema-traits.ts';
import { isScalar, uniqueItems } from './unique-items.ts';

const STEP = 'x-step';
// So many take some 20 ms.
const SURE_STEPS = 100_000;
// A value that is asked each schema once, or so many, is admitted, up to a size that takes some 200 ms.
const LEAST_STEPS = 10;
const MOST_STEPS = 1_200_000;
// So many characters, items or members cost as much as a step.
const LENGTH_OF_A_STEP = 16;
// The steps of each value in a list whose items must differ.
const STEPS_TO_COMPARE = 4;

/** Says whether a value is valid, fills in defaults, and leaves the errors; throws `TooLong` where it is bounded. */
export type Validate = {
  (value: unknown): boolean;
  errors?: null | ErrorObject[];
  /** Of the last value, where it is bounded. */
  comparisons?: Comparisons;
};

/** The lists whose items had to differ. */
export type Comparisons = {
  /** What it takes to compare each item with each other one: their number times what is in them. */
  readonly cost: number;
  readonly areAllDistinct: boolean;
};

/** A value takes too long to validate. */
export class TooLong extends ApiError {
  constructor(why: string) {
    super('invalid-request', { detail: `The request takes too long to validate: ${why}.` });
  }
}

/** Why lists whose items must differ take too long. */
export const TOO_LONG_TO_COMPARE = 'lists whose items must differ are too long';

/** Whether the validation of a value may cost more than its size. */
export function isCostly({ branches, comparesItems }: Traits): boolean {
  return branches || comparesItems;
}

/**
 * Validates in a bounded number of steps. A step is a schema that is asked of a value, where one leads to itself in
 * several ways; items that must differ take some as well. `ajv` is for this schema alone.
 */
export function createCountedValidate(
  { schemas, components }: SchemaForms,
  { branches, schemaCount }: Traits,
  ajv: Ajv2020,
): Validate {
  let steps = 0;
  let comparisons: Comparisons = { cost: 0, areAllDistinct: true };
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
    take(STEPS_TO_COMPARE * size, TOO_LONG_TO_COMPARE);
    const isDistinct = uniqueItems.validate(isDemanded, items, schema);
    compare.errors = uniqueItems.validate.errors;
    comparisons = {
      cost: comparisons.cost + (isScalar(schema?.items) ? 0 : items.length * size),
      areAllDistinct: comparisons.areAllDistinct && isDistinct,
    };
    return isDistinct;
  };
  compare.errors = uniqueItems.validate.errors;
  ajv.removeKeyword('uniqueItems').addKeyword({ ...uniqueItems, validate: compare });
  for (const [name, form] of Object.entries(components)) {
    const counting = (schema: object) => ({ ...schema, [STEP]: true });
    ajv.addSchema(branches ? mapSchemas(form, counting) : form, COMPONENTS + name);
  }
  const validate = ajv.compile(schemas.schema ?? true);
  const counted: Validate = (value) => {
    const each = Math.max(LEAST_STEPS, schemaCount);
    steps = Math.min(MOST_STEPS, SURE_STEPS + each * sizeOf(value));
    comparisons = { cost: 0, areAllDistinct: true };
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
