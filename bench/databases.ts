import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKS, book, range, type Size, usual } from './data.ts';
import type { Engine, Source } from './engines.ts';
import { postgresSource } from './postgres-source.ts';
import { sqliteSource } from './sqlite-source.ts';

/** The data of a run: every server has a copy of its own. */
export type Data = {
  copy(name: string): Promise<string>;
  copyJson(name: string): string;
  readonly cluster: number | undefined;
};

export function openSource(engine: Engine, folder: string): Source | Promise<Source> {
  return engine === 'sqlite' ? sqliteSource(folder) : postgresSource();
}

/** Migrates and fills a database once; the tables are those that this tree makes. */
export async function createData(
  source: Source,
  folder: string,
  root: string,
  size: Size = usual,
  name = `seed_${size.books}`,
): Promise<Data> {
  const seed = await source.create(name);
  const env = { ...process.env, DATABASE_URL: seed };
  execFileSync(process.execPath, [join(root, 'src/main.ts'), 'migrate'], { env });
  await source.fill(seed, size);
  return {
    copy: (name) => source.copy(seed, name),
    copyJson(name) {
      const file = join(mkdtempSync(join(folder, 'json-')), `${name}.json`);
      writeFileSync(file, JSON.stringify({ books: range(BOOKS).map(book) }, null, 2));
      return file;
    },
    cluster: source.cluster,
  };
}
