import type { Ajv2020, AnySchemaObject } from 'ajv/dist/2020.js';
import { partsIn } from './inherited-names.ts';
import { isObject } from './openapi-document.ts';
import { COMPONENTS, type SchemaForms, withKeyword } from './schema-forms.ts';
import { isScalar, traitsOf } from './schema-traits.ts';
import { areUnique, uniqueItems } from './unique-items.ts';

const STEP = 'x-step';
// So many take some 20 ms.
const MOST_STEPS = 100_000;
// What is no more than that is judged in time that grows with its size alone.
const STEPS_PER_VALUE = 5;
// So many characters, items or members cost as much as a step.
const LENGTH_OF_A_STEP = 16;
// Items times the values in them: so many take some 100 ms, as in a list of 1,000 objects of one member.
const MOST_COMPARISONS = 2_200_000;

/** Says what makes the validation of a value take very many steps; undefined where nothing does. */
export type StepCheck = (value: unknown) => string | undefined;

/**
 * Counts the steps of a value where schemas lead to themselves in several ways, and bounds them by its size. A step is
 * a schema that is asked of a value. Items that must differ are compared, each with each. `ajv` is for this check alone.
 */
export function createStepCheck(forms: SchemaForms, ajv: Ajv2020): StepCheck {
  const { schemas, components } = forms;
  const { isRepeated } = traitsOf(forms);
  const nested = new Error('schemas that contain themselves nest too deep');
  const compared = new Error('lists whose items must differ are too long');
  let [steps, comparisons] = [0, 0];
  // Before what leads on to others.
  ajv.addKeyword({
    ...{ keyword: STEP, before: 'not', errors: false },
    validate(_: unknown, value: unknown) {
      steps -= stepsOf(value);
      if (steps < 0) throw nested;
      return true;
    },
  });
  ajv.removeKeyword('uniqueItems').addKeyword({
    ...uniqueItems,
    validate(isDemanded: boolean, items: readonly unknown[], schema?: AnySchemaObject) {
      if (!isDemanded) return true;
      if (!isScalar(schema?.items)) comparisons -= items.length * sizeOf(items);
      if (comparisons < 0) throw compared;
      return areUnique(items);
    },
  });
  for (const [name, form] of Object.entries(components)) {
    ajv.addSchema(isRepeated ? withKeyword(form, STEP) : form, COMPONENTS + name);
  }
  const validate = ajv.compile(schemas.schema ?? true);
  return (value) => {
    steps = MOST_STEPS + STEPS_PER_VALUE * sizeOf(value);
    comparisons = MOST_COMPARISONS;
    try {
      validate(value);
      return undefined;
    } catch (error) {
      const why = [nested, compared].find((each) => each === error);
      if (!why) throw error;
      return why.message;
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
