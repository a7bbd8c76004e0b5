import { fromJson, whole } from '../json-text.ts';
import { type Soon, whenThere } from '../maybe-promise.ts';
import type { Collection, Page } from '../store/store.ts';
import type { ReadPage } from './answer-budget.ts';

/** A list that is read in pages; a page that is not full is its last. */
export function pagesOf<R>(list: (page: Page<R>) => Soon<R[]>, after?: R): ReadPage<R> {
  return (limit) =>
    whenThere(list({ limit, after }), (records) => ({
      records,
      more: records.length < limit ? undefined : pagesOf(list, records.at(-1)),
    }));
}

/** A collection that is read in pages. */
export function pagesOfCollection<R extends { id: number }>(
  collection: Collection<R>,
  after?: number,
): ReadPage<R> {
  return async (limit) => {
    const { body, next } = await collection.list({ after, limit });
    return {
      records: fromJson(await whole(body)),
      more: next === undefined ? undefined : pagesOfCollection(collection, next),
    };
  };
}
