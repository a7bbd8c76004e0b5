import type { Contract } from '../contract/contract.ts';
import { isCostly, TOO_LONG_TO_COMPARE, TooLong } from '../contract/counted-validate.ts';
import { partsIn } from '../contract/inherited-names.ts';
import { type Traits, traitsOf } from '../contract/schema-traits.ts';

// So many are collected in some 100 ms.
const MOST_FAULTS = 20_000;
// Items times the values in them: so many take some 100 ms, as in a list of 1,000 objects of one member.
const MOST_COMPARISONS = 2_200_000;

/** Which faults of an input are looked for. */
export type Faults = 'all' | 'first';

/** How the validator judges an input; `distinct`: no list that it would compare has two equal items. */
export type Judging = Faults | 'distinct';

/** Tells which faults of an input are looked for. */
export function createFaultsOf(contract: Contract, schema: object): (input: unknown) => Faults {
  const traits = traitsOf(contract.requestSchemas({ schema }));
  return (input) => faultsOf(traits, input);
}

/** Tells how the validator judges an input; refuses one that takes it too long. */
export function createJudging(contract: Contract, schema: object): (input: unknown) => Judging {
  const traits = traitsOf(contract.requestSchemas({ schema }));
  if (!isCostly(traits)) return (input) => faultsOf(traits, input);
  const counting = {
    all: contract.createCompiler('all'),
    first: contract.createCompiler('first'),
  };
  return (input) => {
    const faults = faultsOf(traits, input);
    const validate = counting[faults](schema, 'request');
    validate(input);
    const { cost = 0, areAllDistinct = true } = validate.comparisons ?? {};
    if (cost <= MOST_COMPARISONS) return faults;
    if (!areAllDistinct) throw new TooLong(TOO_LONG_TO_COMPARE);
    return 'distinct';
  };
}

function faultsOf({ branches, alternatives, required }: Traits, input: unknown): Faults {
  // Whoever looks for all faults tries on where one is found.
  if (branches) return 'first';
  let most = 0;
  for (const part of partsIn(input)) {
    most += alternatives * (required + Object.keys(part).length);
    if (most > MOST_FAULTS) return 'first';
  }
  return 'all';
}
