import type { Contract } from '../contract/contract.ts';
import { partsIn } from '../contract/inherited-names.ts';
import { traitsOf } from '../contract/schema-traits.ts';
import type { StepCheck } from '../contract/step-check.ts';
import { ApiError } from '../errors.ts';

// So many are collected in some 100 ms.
const MOST_FAULTS = 20_000;

/** Which faults of an input are looked for. */
export type Faults = 'all' | 'first';

/** Tells which faults of an input are looked for; refuses one whose validation takes very many steps. */
export function createFaultsOf(contract: Contract, schema: object): (input: unknown) => Faults {
  const { isRepeated, alternatives, required } = traitsOf(contract.requestSchemas({ schema }));
  const bound = createStepBound(contract, schema);
  function mostFaults(input: unknown): number {
    let most = 0;
    for (const part of partsIn(input)) most += required + alternatives * Object.keys(part).length;
    return most;
  }
  return (input) => {
    // Whoever looks for all faults tries on where one is found.
    const faults = isRepeated || mostFaults(input) > MOST_FAULTS ? 'first' : 'all';
    bound?.(input, faults);
    return faults;
  };
}

/** Refuses an input whose validation takes very many steps. */
export type StepBound = (input: unknown, faults: Faults) => void;

/**
 * Bounds the steps of a schema that leads to itself in several ways, each of which is tried on each level of a value,
 * and of one whose items are compared; undefined for others, where the size of a value bounds them.
 */
export function createStepBound(contract: Contract, schema: object): StepBound | undefined {
  const { isRepeated, comparesItems } = traitsOf(contract.requestSchemas({ schema }));
  if (!isRepeated && !comparesItems) return undefined;
  const checks: Partial<Record<Faults, StepCheck>> = {};
  return (input, faults) => {
    checks[faults] ??= contract.createStepCheck(schema, faults);
    const why = checks[faults](input);
    if (why === undefined) return;
    throw new ApiError('invalid-request', {
      detail: `The request takes too long to validate: ${why}.`,
    });
  };
}
