import { afterAll, beforeAll } from 'vitest';
import { present } from '../../src/kit/errors.ts';
import { createPrepare } from '../../src/kit/graphql/documents.ts';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';
import { defaultLimits } from '../../src/kit/graphql/limits/limits.ts';
import { createOneStatement } from '../../src/kit/graphql/one-statement.ts';
import { readJson } from '../../src/kit/store/read-json.ts';
import * as foreign from './statement-contract.ts';
import { openTables, type TableStore } from './table-store.ts';

export const foreignSchema = createSchema(foreign.sdl, foreign.resolvers);

const limits = { ...defaultLimits, aliases: 1000, cost: 1_000_000, tokens: 10_000, directives: 99 };

type Options = {
  readonly on?: typeof foreignSchema | undefined;
  readonly fields?: number | undefined;
  /** Reads instead of the store. */
  readonly read?: (() => unknown) | undefined;
};

/** Asks operations of one statement on the tables of a contract, and counts what is prepared and read. */
export function useAsking() {
  let opened: TableStore<typeof foreign.tables> | undefined;
  beforeAll(async () => {
    opened = await openTables(foreign.tables);
    await foreign.fill(opened.store);
  });
  afterAll(() => opened?.close());

  return ({ on = foreignSchema, fields = 100_000, read }: Options = {}) => {
    const { store } = present(opened);
    const reader = Object(store)[readJson];
    const counts = { prepared: 0, read: 0 };
    const counting = {
      prepare(...given: unknown[]) {
        counts.prepared++;
        return reader.prepare(...given);
      },
      read(...given: unknown[]) {
        counts.read++;
        return read ? read() : reader.read(...given);
      },
    };
    const one = present(createOneStatement(on, { ...store, [readJson]: counting }, { fields }));
    const prepare = createPrepare(on, { limits, introspection: true, onLookup: () => {} });
    return {
      counts,
      /** The data of the answer; undefined where it is left to execution. */
      async ask(query: string, variables = {}): Promise<unknown> {
        const prepared = prepare(query);
        if ('faults' in prepared) throw new Error(String(prepared.faults));
        const operation = present(prepared.operations[0]);
        const answer = await one({ prepared, operation, variables }, () => async () => undefined);
        return answer && JSON.parse(answer.json);
      },
    };
  };
}
