import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { Contract } from '../../src/kit/contract/contract.ts';
import type { Resolvers } from '../../src/kit/graphql/resolver-check.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import type { AnyHandlers, HandlerParts } from '../../src/kit/rest/handler.ts';
import { type Running, serve } from '../../src/kit/serve.ts';
import type { StoreOf, Tables } from '../../src/kit/store/table-declarations.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import { isMissing, needPostgres, newDatabase } from './engine.ts';
import { draftedMigrations } from './table-store.ts';

type Definition<T extends Tables> = {
  readonly openapi: string;
  readonly graphql?: string;
  readonly tables: T;
  readonly handlers: (parts: HandlerParts<StoreOf<T>>) => AnyHandlers;
  readonly resolvers?: Resolvers;
  readonly env?: Readonly<Record<string, string>>;
  readonly demo?: (store: StoreOf<T>, contract: Contract) => Promise<void>;
};

export type Answer = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The body, parsed; undefined where there is none. */
  readonly json: ReturnType<typeof JSON.parse>;
};

export type TableServer = {
  readonly send: (
    method: string,
    path: string,
    json?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  readonly graphql: (query: string, variables?: object) => Promise<Answer['json']>;
  readonly statements: () => number;
  /** What it logged as a failure, or as an answer against its contract: each response is checked. */
  readonly faults: () => string[];
};

/** Serves a contract and tables of the test's own on an empty database, for the tests of a file. */
export function useTables<T extends Tables>(definition: Definition<T>): TableServer {
  const { openapi, graphql, tables, handlers, resolvers = {}, env = {}, demo } = definition;
  const log: string[] = [];
  let statements = 0;
  let running: Running | undefined;
  needPostgres();
  beforeAll(async () => {
    if (isMissing()) return;
    const folder = mkdtempSync(join(tmpdir(), 'tables-http-'));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return pathToFileURL(join(folder, name));
    };
    const drafted = draftedMigrations(tables);
    const api = {
      openapi: file('openapi.yaml', openapi),
      ...(graphql !== undefined && { graphql: file('schema.graphql', graphql), resolvers }),
      ...{ tables, migrations: drafted.migrations, handlers },
      ...(demo && { demo }),
    };
    running = await serve(api, {
      settings: readSettings({
        ...{ ...atOnce, PORT: '0', RESPONSE_SAMPLE: '1', DATABASE_URL: await newDatabase() },
        ...(demo && { SEED_DEMO: 'true' }),
        ...env,
      }),
      log: createLog('info', (line) => log.push(line)),
      onStatement: () => void statements++,
    });
    drafted.remove();
    rmSync(folder, { recursive: true });
  });
  afterAll(() => running?.stop());

  const send: TableServer['send'] = async (method, path, json, given = {}) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...type, ...given };
    const response = await fetch(`${running?.url}${path}`, { method, headers, ...body });
    const text = await response.text();
    const { status } = response;
    return { status, text, headers: response.headers, json: text && JSON.parse(text) };
  };
  return {
    send,
    graphql: async (query, variables) =>
      (await send('POST', '/graphql', { query, variables })).json,
    statements: () => statements,
    faults: () => log.filter((line) => JSON.parse(line).level === 'error'),
  };
}
