import type { Contract } from '../contract/contract.ts';
import { examplesOf } from '../mock/contract-examples.ts';
import type { Collection, Identified } from '../store/store.ts';
import { parentsFirst, tablesOf } from '../store/table.ts';
import type { StoreOf, Tables } from '../store/table-declarations.ts';

/**
 * Creates in each collection that is empty the records that the contract shows in its example of the list: of `things`
 * that at `/things`.
 */
export async function createExamples<T extends Tables>(
  contract: Contract,
  tables: T,
  store: StoreOf<T>,
): Promise<void> {
  for (const { name, kind } of parentsFirst(tablesOf(tables))) {
    if (kind !== 'collection') continue;
    // The table is declared as a collection; the linter holds examples to their schema.
    const { page, create } = store[name] as unknown as Collection<Identified, unknown>;
    if ((await page({ limit: 1 })).length > 0) continue;
    for (const { id: _, ...fields } of exampleRecords(contract, `/${name}`)) await create(fields);
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
