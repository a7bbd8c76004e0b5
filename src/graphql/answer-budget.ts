import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Soon, whenThere } from '../store/soon.ts';
import { refusal } from './limits/refusal.ts';

/** Some records of a list, and how to read more of it. */
export type Page<T> = { readonly records: readonly T[]; readonly more: ReadPage<T> | undefined };

export type ReadPage<T> = (limit: number) => Soon<Page<T>>;

/** A list as it is read: its coordinate, such as `Query.books`, and how many characters a record has. */
export type List<T> = {
  readonly name: string;
  readonly read: ReadPage<T>;
  readonly lengthOf: (record: T) => number;
};

/** What one answer may still hold; all lists of an operation share it. */
export type AnswerBudget = {
  /** Reads a list page by page; one that does not fit is refused before the rest of it is read. */
  readAll<T>(list: List<T>): Soon<T[]>;
};

const PAGE = 1000;
// Text takes time and memory as well. The worst, 5 million control characters, makes JSON of 30 MB and holds
// the event loop for some 150 ms.
const CHARACTERS_PER_FIELD = 50;

/** A budget of fields, given what a record of each list takes of it. */
export function createAnswerBudget(
  fields: number,
  recordCosts: ReadonlyMap<string, number>,
): AnswerBudget {
  let left = fields;
  let reading: Promise<unknown> | undefined;

  function readOn<T>({ name, read, lengthOf }: List<T>, before: T[]): Soon<T[]> {
    if (left < 0) throw tooLarge(fields);
    const cost = recordCosts.get(name) ?? 1;
    const limit = Math.min(PAGE, Math.floor(left / cost) + 1);
    return whenThere(read(limit), ({ records, more }) => {
      let characters = 0;
      for (const record of records) characters += lengthOf(record);
      left -= records.length * cost + Math.floor(characters / CHARACTERS_PER_FIELD);
      if (left < 0) throw tooLarge(fields);
      before.push(...records);
      if (!more) return before;
      // SQLite reads at once, so that others would wait for the whole list.
      return nextTurn().then(() => readOn({ name, read: more, lengthOf }, before));
    });
  }

  return {
    readAll(list) {
      // One after another, so that each knows what those before it left.
      if (reading) return reading.then(() => this.readAll(list));
      const records = readOn(list, []);
      if (!(records instanceof Promise)) return records;
      const end = () => {
        reading = undefined;
      };
      reading = records.then(end, end);
      return records;
    },
  };
}

function tooLarge(fields: number): Error {
  return refusal(
    'QUERY_TOO_COMPLEX',
    `Answer limit exceeded: the lists hold too much for one answer, which takes ${fields} fields or ${fields * CHARACTERS_PER_FIELD} characters of text. Ask for less, or read the records one by one.`,
  );
}
