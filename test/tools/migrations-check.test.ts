// engines: sqlite, postgres
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { api } from '../../src/api/api.ts';
import { records } from '../../src/kit/store/table-declarations.ts';
import { checkMigrations } from '../../tools/migrations/check-migrations.ts';
import { needPostgres, newDatabase } from '../support/engine.ts';

needPostgres();

it('npm run check:migrations passes where the migrations lead to the declared tables', async () => {
  await checkMigrations(await newDatabase(), api);
});

it('npm run check:migrations names what the migrations do not make', async () => {
  const moons = records<{ readonly id: number; readonly name: string }>({ name: 'text' });
  const tables = { ...api.tables, moons };
  await expect(checkMigrations(await newDatabase(), { ...api, tables })).rejects.toThrow(/moons/);
});

it('npm run check:migrations names what the release before a migration may fail at', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'accord-check-'));
  cpSync(api.migrations, folder, { recursive: true });
  for (const engine of ['sqlite', 'postgres']) {
    const file = join(folder, engine, '010-no-pages.sql');
    writeFileSync(file, 'DROP INDEX books_by_pages; ALTER TABLE books DROP COLUMN pages');
  }
  const migrations = pathToFileURL(`${folder}/`);
  await expect(checkMigrations(await newDatabase(), { ...api, migrations })).rejects.toThrow(
    /010-no-pages\.sql drops the column books\.pages/,
  );
  rmSync(folder, { recursive: true });
});
