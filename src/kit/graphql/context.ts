import DataLoader from 'dataloader';
import type { Authorize } from '../http/authentication.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { ChildPage, ChildRecords, Listable, Question, Readable } from '../store/store.ts';
import type { AnswerBudget, ReadPage } from './answer-budget.ts';
import { type AskedList, askedByArguments, type ListArguments } from './list-arguments.ts';
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
  /** The records of a table that the arguments ask for: without any, all of them in order of id. */
  all<R>(coordinate: string, table: Readable<R>, args?: ListArguments): MaybePromise<R[]>;
  /** The children of one record; one statement reads those of all records at the same level. */
  children<R>(
    coordinate: string,
    table: ChildRecords<R>,
    id: number,
    args?: ListArguments,
  ): Promise<R[]>;
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

  function createLoader<R>(name: string, table: ChildRecords<R>, args: ListArguments) {
    const { first, after: start, ...question } = askedBy<R>(table, args);
    return new DataLoader<number, R[]>(async (ids) => {
      const all = await openBudget().readAll({
        name,
        read: pagesOf<R>((page) => table.ofParents(ids, { ...question, ...page, first, start })),
        lengthOf: table.textLength,
        isShared: true,
      });
      const groups = Map.groupBy(all, table.parentId);
      return ids.map((id) => groups.get(id) ?? []);
    });
  }

  return {
    ...createParents(openBudget),
    all<R>(name: string, table: Readable<R>, args: ListArguments = {}) {
      const { first, after: start, ...question } = askedBy<R>(table, args);
      const read = pagesOf<R>(
        ({ limit, after = start }) => table.page({ ...question, limit, after }),
        first,
      );
      return openBudget().readAll({ name, read, lengthOf: table.textLength });
    },
    children<R>(name: string, table: ChildRecords<R>, id: number, args: ListArguments = {}) {
      loaders ??= new Map();
      const key = isEmpty(args) ? name : `${name} ${JSON.stringify(args)}`;
      // A coordinate is always given with the same table.
      const known = loaders.get(key) as DataLoader<number, R[]> | undefined;
      const loader = known ?? createLoader(name, table, args);
      if (!known) loaders.set(key, loader);
      return loader.load(id);
    },
    close() {
      isClosed = true;
      budget?.close();
    },
  };
}

/** A list that is read in pages, up to `most` records; a page that is not full is the last. */
function pagesOf<R>(
  list: (page: ChildPage<R>) => MaybePromise<R[]>,
  most = Number.POSITIVE_INFINITY,
  after?: R,
): ReadPage<R> {
  return (size) => {
    const limit = Math.min(size, most);
    if (limit === 0) return { records: [], more: undefined };
    return andThen(list({ limit, after }), (records) => {
      const isLast = records.length < limit || limit === most;
      return {
        records,
        more: isLast ? undefined : pagesOf(list, most - limit, records.at(-1)),
      };
    });
  };
}

type Asked<R> = Question<R> & Pick<AskedList, 'first' | 'after'>;

const everything: Asked<never> = { first: undefined, after: undefined };

function askedBy<R>({ listable }: { readonly listable: Listable }, args: ListArguments): Asked<R> {
  // Their fields are those of the record.
  return (isEmpty(args) ? everything : askedByArguments(listable, args)) as Asked<R>;
}

function isEmpty(args: object): boolean {
  for (const _ in args) return false;
  return true;
}
