// engines: postgres
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { copy } from '../../../src/kit/process/copy-command.ts';
import { collection } from '../../../src/kit/store/table-declarations.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';
import { openTables } from '../../support/table-store.ts';

needPostgres();

const { isTTY } = process.stderr;
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process.stderr, { isTTY });
});

const bar = (done: number) => `[${'#'.repeat(done).padEnd(40, '.')}]`;

it.each([
  [
    true,
    [
      `\rparcels  ${bar(0)} 0 of 600`,
      `\rparcels  ${bar(33)} 500 of 600`,
      `\rparcels  ${bar(40)} 600 of 600\n`,
      `\rtoys     ${bar(40)} 0 of 0\n`,
      `\rfirst_answers ${bar(40)} 0 of 0\n`,
    ],
  ],
  [
    false,
    [
      `parcels  ${bar(40)} 600 of 600\n`,
      `toys     ${bar(40)} 0 of 0\n`,
      `first_answers ${bar(40)} 0 of 0\n`,
    ],
  ],
])('a copy tells how far it is; at a terminal (%s) the bar grows', async (isTerminal, told) => {
  const folder = mkdtempSync(join(tmpdir(), 'accord-copy-'));
  const url = `sqlite:${join(folder, 'from.db')}`;
  const tables = { parcels: collection({ label: 'text' }), toys: collection({ label: 'text' }) };
  const { store, migrations, close } = await openTables(tables, { url });
  const made = Array.from({ length: 600 }, (_, i) => store.parcels.create({ label: String(i) }));
  await Promise.all(made);
  const [out, errors]: [string[], string[]] = [[], []];
  const noting = (texts: string[]) => (text: string | Uint8Array) => texts.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(noting(out));
  vi.spyOn(process.stderr, 'write').mockImplementation(noting(errors));
  Object.assign(process.stderr, { isTTY: isTerminal });
  await copy({ tables, migrations }, [url, await newDatabase()]);
  vi.restoreAllMocks();
  expect(errors).toEqual(told);
  expect(out).toEqual([
    'parcels: 600 copied, each compared\n',
    'toys: 0 copied, each compared\n',
    'first_answers: 0 copied, each compared\n',
  ]);
  await close();
  rmSync(folder, { recursive: true });
});
