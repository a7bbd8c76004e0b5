import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/embedded-postgres.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Where new, empty databases come from. */
export type Databases = {
  /** The address of another one. */
  create(): Promise<string>;
  remove(): Promise<void>;
};

export function openDatabases(engine: Engine): Promise<Databases> {
  return engine === 'sqlite' ? sqlite() : postgres();
}

async function sqlite(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-compare-'));
  let count = 0;
  return {
    create: async () => `sqlite:${join(folder, `${count++}.db`)}`,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgres(): Promise<Databases> {
  const { createDatabase, remove } = await startPostgres(['fsync=off']);
  let count = 0;
  return { create: () => createDatabase(`compared_${count++}`), remove };
}
