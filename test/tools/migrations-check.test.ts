// engines: sqlite, postgres
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
