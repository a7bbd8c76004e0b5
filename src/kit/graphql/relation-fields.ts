import DataLoader from 'dataloader';
import { ApiError } from '../errors.ts';
import { andThen } from '../maybe-promise.ts';
import type { Identified, Readable } from '../store/store.ts';
import type { AnswerBudget, ReadPage } from './answer-budget.ts';

export type Parents = {
  /**
   * The record that another refers to by its id; one statement reads those of all records at the same level. Each is
   * charged to the answer budget as often as it is shown.
   */
  parent<R extends Identified>(coordinate: string, table: Readable<R>, id: number): Promise<R>;
  parent<R extends Identified>(
    coordinate: string,
    table: Readable<R>,
    id: number | null | undefined,
  ): Promise<R | null>;
};

/** The parents of one request; each relation is named by the coordinate of its field. */
export function createParents(openBudget: () => AnswerBudget): Parents {
  let loaders: Map<string, DataLoader<number, unknown>> | undefined;

  function createLoader<R extends Identified>(name: string, table: Readable<R>) {
    const load = async (ids: readonly number[]) => {
      const times = Map.groupBy(ids, (id) => id);
      const records = await openBudget().readAll<R>({
        name,
        read: pagesOf(table, [...times.keys()]),
        lengthOf: (record) => table.textLength(record) * (times.get(record.id)?.length ?? 1),
        isShared: true,
      });
      const byId = new Map(records.map((record) => [record.id, record]));
      return ids.map((id) => byId.get(id) ?? removed());
    };
    // What it kept would be shown again without being charged.
    return new DataLoader<number, R>(load, { cache: false });
  }

  async function parent<R extends Identified>(
    name: string,
    table: Readable<R>,
    id: number | null | undefined,
  ): Promise<R | null> {
    if (id === null || id === undefined) return null;
    loaders ??= new Map();
    // A coordinate is always given with the same table.
    const known = loaders.get(name) as DataLoader<number, R> | undefined;
    const loader = known ?? createLoader(name, table);
    if (!known) loaders.set(name, loader);
    return loader.load(id);
  }

  // An id that is a number gives no null.
  return { parent: parent as Parents['parent'] };
}

function pagesOf<R>(table: Readable<R>, ids: readonly number[]): ReadPage<R> {
  return (limit) =>
    andThen(table.findAll(ids.slice(0, limit)), (records) => ({
      records,
      more: ids.length > limit ? pagesOf(table, ids.slice(limit)) : undefined,
    }));
}

/** Its children were read before it was removed. */
function removed(): ApiError {
  return new ApiError('not-found', { detail: 'The record that this refers to was removed.' });
}
