import DataLoader from 'dataloader';
import type { Authorize } from '../http/authentication.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { ChildPage, ChildRecords, Readable } from '../store/store.ts';
import type { AnswerBudget, ReadPage } from './answer-budget.ts';
import type { MockContext } from './mock-fields.ts';
import { createParents, type Parents } from './relation-fields.ts';

/** What the resolvers of one request share. */
export type GraphqlContext<Store, Action> = {
  readonly store: Store;
  readonly authorize: Authorize<Action>;
  readonly lists: Lists;
} & MockContext;

/**
 * Reads lists within the answer budget of the request. Each is named by the coordinate of its field, such
 * as `Type.field`: a resolver with `info` as its fourth parameter could not be compiled.
 */
export type Lists = Parents & {
  /** All records of a table, in order of id. */
  all<R>(coordinate: string, table: Readable<R>): MaybePromise<R[]>;
  /** The children of one record; one statement reads those of all records at the same level. */
  children<R>(coordinate: string, table: ChildRecords<R>, id: number): Promise<R[]>;
};

/** Lists of one request. Budget and loaders are made when they are first needed. */
export function createLists(createBudget: () => AnswerBudget): Lists & { close(): void } {
  let budget: AnswerBudget | undefined;
  let isClosed = false;
  let loaders: Map<string, DataLoader<number, unknown[]>> | undefined;

  function openBudget(): AnswerBudget {
    budget ??= createBudget();
    if (isClosed) budget.close();
    return budget;
  }

  function createLoader<R>(name: string, table: ChildRecords<R>) {
    return new DataLoader<number, R[]>(async (ids) => {
      const all = await openBudget().readAll({
        name,
        read: pagesOf<R>((page) => table.ofParents(ids, page)),
        lengthOf: table.textLength,
        isShared: true,
      });
      const groups = Map.groupBy(all, table.parentId);
      return ids.map((id) => groups.get(id) ?? []);
    });
  }

  return {
    ...createParents(openBudget),
    all: (name, { page, textLength }) =>
      openBudget().readAll({ name, read: pagesOf(page), lengthOf: textLength }),
    children<R>(name: string, table: ChildRecords<R>, id: number) {
      loaders ??= new Map();
      // A coordinate is always given with the same table.
      const known = loaders.get(name) as DataLoader<number, R[]> | undefined;
      const loader = known ?? createLoader(name, table);
      if (!known) loaders.set(name, loader);
      return loader.load(id);
    },
    close() {
      isClosed = true;
      budget?.close();
    },
  };
}

/** A list that is read in pages; a page that is not full is the last. */
function pagesOf<R>(list: (page: ChildPage<R>) => MaybePromise<R[]>, after?: R): ReadPage<R> {
  return (limit) =>
    andThen(list({ limit, after }), (records) => ({
      records,
      more: records.length < limit ? undefined : pagesOf(list, records.at(-1)),
    }));
}
