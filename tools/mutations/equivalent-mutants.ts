/** Mutants that no test can notice, by their id, with the reason. */
export const equivalentMutants: Readonly<Record<string, string>> = {
  // kit/http/upload-spool.ts
  fa4b22d86f: 'nobody waits for the listener, and its last statement handles its own failure',
  '84d76ea29b':
    'the first file begins one byte later; all offsets are counted from where it begins',
  // kit/store/collection-piece.ts
  e308df48b0: 'the sum of 0 for each row is never too long: the condition only saves the sum',
  // kit/store/sqlite/sqlite-catalogue.ts
  b04cb93424: 'no statement begins with WHERE',
};
