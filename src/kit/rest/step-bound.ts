import type { Contract } from '../contract/contract.ts';
import { traitsOf } from '../contract/schema-traits.ts';
import { ApiError } from '../errors.ts';

/** Refuses an input whose validation would take very many steps. */
export type StepBound = (input: unknown) => void;

const detail =
  'The request takes too long to validate: schemas that contain themselves nest too deep.';

/**
 * Bounds the steps of a schema that leads to itself in several ways, each of which is tried on each level of a value;
 * undefined for others, where the size of a value bounds them. Only the first fault is to be looked for then: whoever
 * looks for all tries on where one is found.
 */
export function createStepBound(contract: Contract, schema: object): StepBound | undefined {
  if (!traitsOf(contract.requestSchemas({ schema })).isRepeated) return undefined;
  const isBrief = contract.createStepCheck(schema);
  return (input) => {
    if (!isBrief(input)) throw new ApiError('invalid-request', { detail });
  };
}
