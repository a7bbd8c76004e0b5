/** Mutants that no test can notice, by their id, with the reason. */
export const equivalentMutants: Readonly<Record<string, string>> = {};
