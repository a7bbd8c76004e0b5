// engines: postgres
// slow: starts processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { migrate } from '../../../src/kit/process/migrate-command.ts';
import { command } from '../../../tools/support/server-command.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';
import { openLink } from '../../support/link.ts';

needPostgres();
afterEach(() => vi.restoreAllMocks());

it('migrate waits for a database that is not there yet, and says so', async () => {
  const link = await openLink(await newDatabase(), 'closed');
  const { host, pathname } = new URL(link.address);
  const shown = `postgres://${host}${pathname}`;
  const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
  const env = { PATH: process.env.PATH, DATABASE_URL: link.address };
  const child = spawn(process.execPath, [main, 'migrate'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [told, said]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk) => said.push(String(chunk)));
  child.stderr.on('data', (chunk) => told.push(String(chunk)));
  while (told.length === 0) await once(child.stderr, 'data');
  await link.open();
  expect(await ended).toEqual([0, null]);
  expect(told.join('')).toContain(`waiting for the database ${shown}: `);
  expect(said.join('')).toBe(`The database ${shown} was made.\n`);
  expect(await command('migrate', { DATABASE_URL: link.address })).toBe(
    `The database ${shown} is up to date.\n`,
  );
  await link.cut();
});

it('migrate --check looks at the migrations of PostgreSQL in an empty database', async () => {
  const said: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  await migrate(api, ['--check', await newDatabase()]);
  expect(said).toEqual(['Releases can run beside the migrations of SQLite and PostgreSQL.\n']);
  const folder = mkdtempSync(join(tmpdir(), 'accord-check-'));
  cpSync(api.migrations, folder, { recursive: true });
  writeFileSync(join(folder, 'postgres/999-less.sql'), 'DROP TABLE books;\n');
  const shrunk = { ...api, migrations: pathToFileURL(`${folder}/`) };
  await expect(migrate(shrunk, ['--check', await newDatabase()])).rejects.toThrow(
    /- postgres\/999-less\.sql .*drops the table books/,
  );
  expect(said).toHaveLength(1);
  rmSync(folder, { recursive: true });
});
