import { fairTurn } from '../fair-turn.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { checkTime, type Semaphore } from '../semaphore.ts';
import { codedError } from './graphql-errors.ts';
import type { AnswerCosts } from './limits/check.ts';

/** Some records of a list, and how to read more of it. */
export type Page<T> = { readonly records: readonly T[]; readonly more: ReadPage<T> | undefined };

export type ReadPage<T> = (limit: number) => MaybePromise<Page<T>>;

/** A list as it is read. */
export type List<T> = {
  /** Its coordinate, such as `Query.things`. */
  readonly name: string;
  readonly read: ReadPage<T>;
  /** How many characters a record has. */
  readonly lengthOf: (record: T) => number;
  /** Whether it is read once for all places of the answer. */
  readonly isShared?: boolean;
};

/** What one answer may still hold; all lists of an operation share it. */
export type AnswerBudget = {
  /** Reads a list page by page; one that does not fit is refused before the rest of it is read. */
  readAll<T>(list: List<T>): MaybePromise<T[]>;
  /** To be called when the answer is made, or given up. */
  close(): void;
};

const PAGE = 1000;
// A list is long when it has more than a page or takes more fields than this: some 5 ms to resolve.
const MANY = 5000;
// The worst text, 5 million control characters, makes JSON of 30 MB and holds the event loop for some 150 ms.
export const CHARACTERS_PER_FIELD = 50;

/**
 * A budget of fields, and of time: no list is read when `performance.now()` is beyond `until`. `longReads` limits how
 * many operations read long lists at a time: each holds what it read.
 */
export function createAnswerBudget(
  fields: number,
  costs: AnswerCosts,
  longReads: Semaphore,
  until: number,
): AnswerBudget {
  let left = fields;
  let reading: Promise<unknown> | undefined;
  let leave: (() => void) | undefined;
  let isClosed = false;

  function readPage<T>({ name, read }: List<T>): MaybePromise<Page<T>> {
    if (left < 0) throw tooLarge(fields);
    checkTime(until);
    return read(Math.min(PAGE, Math.floor(left / costOfList(name).ofRecord) + 1));
  }

  function costOf<T>({ name, lengthOf, isShared }: List<T>, records: readonly T[]): number {
    let characters = 0;
    for (const record of records) characters += lengthOf(record);
    const { ofRecord, copies } = costOfList(name);
    const fields = records.length * ofRecord * (isShared ? costs.copies : 1);
    const texts = characters * (isShared ? costs.copies : copies);
    return fields + Math.floor(texts / CHARACTERS_PER_FIELD);
  }

  function charge(cost: number): void {
    left -= cost;
    if (left < 0) throw tooLarge(fields);
  }

  const costOfList = (name: string) => costs.ofList.get(name) ?? { ofRecord: 1, copies: 1 };

  function read<T>(list: List<T>): MaybePromise<T[]> {
    return andThen(readPage(list), ({ records, more }) => {
      const cost = costOf(list, records);
      // A long list is read again after the wait, so that waiting operations hold no records.
      if (cost <= left && (more || cost > MANY)) return readLong(list);
      charge(cost);
      return [...records];
    });
  }

  async function readLong<T>(list: List<T>): Promise<T[]> {
    leave ??= await longReads(until);
    // Lists of an operation that failed meanwhile may still be waiting here.
    if (isClosed) leave();
    const all: T[] = [];
    for (let rest: List<T> | undefined = list; rest; ) {
      // SQLite reads synchronously: without this, other requests would wait for the whole list.
      await fairTurn();
      if (isClosed) throw new Error('the answer is made already');
      const { records, more }: Page<T> = await readPage(rest);
      charge(costOf(list, records));
      all.push(...records);
      rest = more && { ...list, read: more };
    }
    return all;
  }

  return {
    readAll(list) {
      // One after another, so that each list sees what those before it left.
      if (reading) return reading.then(() => this.readAll(list));
      const records = read(list);
      if (!(records instanceof Promise)) return records;
      const end = () => {
        reading = undefined;
      };
      reading = records.then(end, end);
      return records;
    },
    close() {
      isClosed = true;
      leave?.();
    },
  };
}

function tooLarge(fields: number): Error {
  return codedError(
    'QUERY_TOO_COMPLEX',
    `Answer limit exceeded: the lists hold too much for one answer, which takes ${fields} fields or ${fields * CHARACTERS_PER_FIELD} characters of text. Ask for less, or read the records one by one.`,
  );
}
