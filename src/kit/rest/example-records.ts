import type { Contract } from '../contract/contract.ts';
import { examplesOf } from '../mock/contract-examples.ts';
import type { Collection, Identified } from '../store/store.ts';

/** Creates the records that the contract shows in its example of the list at a path, such as `/things`. */
export async function createExamples<R extends Identified, Input>(
  contract: Contract,
  place: string,
  records: Collection<R, Input>,
): Promise<void> {
  for (const { id: _, ...fields } of exampleRecords(contract, place)) {
    // The linter holds examples to their schema, and the compiler the table to it.
    await records.create(fields as Input);
  }
}

/** The records in the first example of the list at a path. */
export function exampleRecords(
  { document, operations }: Contract,
  place: string,
): Readonly<Record<string, unknown>>[] {
  const list = operations.find(({ method, path }) => method === 'GET' && path === place);
  const media = list?.responses.get('200')?.content?.['application/json'] ?? {};
  const [first] = examplesOf(document, media);
  return Array.isArray(first) ? first.map((record) => Object(record)) : [];
}
