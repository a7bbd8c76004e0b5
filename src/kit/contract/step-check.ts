import type { Ajv2020 } from 'ajv/dist/2020.js';
import { partsIn } from './inherited-names.ts';
import { isObject } from './openapi-document.ts';
import { COMPONENTS, type SchemaForms, withKeyword } from './schema-forms.ts';

const STEP = 'x-step';
// So many take some 20 ms.
const MOST_STEPS = 100_000;
// What is no more than that is judged in time that grows with its size alone.
const STEPS_PER_VALUE = 5;
// So many characters, items or members cost as much as a step.
const LENGTH_OF_A_STEP = 16;

/**
 * Tells whether a value of a schema is judged in few steps, for its size. A step is a schema that is asked of a value;
 * `ajv` is for this check alone.
 */
export function createStepCheck(
  { schemas, components }: SchemaForms,
  ajv: Ajv2020,
): (value: unknown) => boolean {
  const tooMany = new Error('too many steps');
  let left = 0;
  // Before what leads on to others.
  ajv.addKeyword({
    ...{ keyword: STEP, before: 'not', errors: false },
    validate(_: unknown, value: unknown) {
      left -= stepsOf(value);
      if (left < 0) throw tooMany;
      return true;
    },
  });
  for (const [name, form] of Object.entries(components)) {
    ajv.addSchema(withKeyword(form, STEP), COMPONENTS + name);
  }
  const validate = ajv.compile(schemas.schema ?? true);
  return (value) => {
    left = MOST_STEPS + STEPS_PER_VALUE * sizeOf(value);
    try {
      validate(value);
      return true;
    } catch (error) {
      if (error === tooMany) return false;
      throw error;
    }
  };
}

/** The steps of looking at each value in a value once. */
function sizeOf(value: unknown): number {
  let size = 0;
  for (const part of partsIn(value)) {
    for (const each of Object.values(part)) size += stepsOf(each);
  }
  return size;
}

function stepsOf(value: unknown): number {
  const length =
    typeof value === 'string' ? value.length : isObject(value) ? Object.keys(value).length : 0;
  return 1 + length / LENGTH_OF_A_STEP;
}
