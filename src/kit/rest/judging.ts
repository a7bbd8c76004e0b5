import type { Contract } from '../contract/contract.ts';
import { isCostly } from '../contract/counted-validate.ts';
import { partsIn } from '../contract/inherited-names.ts';
import { type Traits, traitsOf } from '../contract/schema-traits.ts';
import { type Fault, faultsFrom } from './validator-error.ts';

// So many are collected in some 100 ms.
const MOST_FAULTS = 20_000;
// So many take some 100 ms: those of a list of 1,000 objects of one member, each with each.
const MOST_COMPARISONS = 2_200_000;
// What express-openapi-validator asks of the values that it compares.
const ASKED = ['constructor', 'valueOf', 'toString'];

/** Which faults of an input are looked for. */
export type Faults = 'all' | 'first';

/** Which faults express-openapi-validator looks for; or those that were found, where it cannot be asked. */
export type Judging = Faults | readonly Fault[];

/** Tells which faults of an input are looked for. */
export function createFaultsOf(contract: Contract, schema: object): (input: unknown) => Faults {
  const traits = traitsOf(contract.requestSchemas({ schema }));
  return (input) => faultsOf(traits, input);
}

/**
 * Tells how an input is judged; refuses one that takes too long. express-openapi-validator compares values each with
 * each, and asks them for members that every object inherits, which may have been sent.
 */
export function createJudging(contract: Contract, schema: object): (input: unknown) => Judging {
  const traits = traitsOf(contract.requestSchemas({ schema }));
  if (!isCostly(traits)) return (input) => faultsOf(traits, input);
  const { comparesItems, comparesValues, longestEnum } = traits;
  const compilers = {
    all: contract.createCompiler('all'),
    first: contract.createCompiler('first'),
  };
  const isConfusing = (input: unknown) =>
    (comparesItems || comparesValues) &&
    (contract.namesInherited() ||
      partsIn(input).some((part) => ASKED.some((name) => Object.hasOwn(part, name))));
  return (input) => {
    const faults = faultsOf(traits, input);
    const validate = compilers[faults](schema, 'request');
    const isValid = validate(input);
    const comparisons = (validate.comparisons ?? 0) + longestEnum * valuesIn(input);
    if (comparisons <= MOST_COMPARISONS && !isConfusing(input)) return faults;
    return isValid ? [] : faultsFrom(validate.errors);
  };
}

function faultsOf({ branches, alternatives, required }: Traits, input: unknown): Faults {
  // Whoever looks for all faults tries on where one is found.
  if (branches) return 'first';
  const most = alternatives * (required * partsIn(input).length + valuesIn(input));
  return most > MOST_FAULTS ? 'first' : 'all';
}

function valuesIn(input: unknown): number {
  return partsIn(input).reduce((sum, part) => sum + Object.keys(part).length, 0);
}
