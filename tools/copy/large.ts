import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { api } from '../../src/api/api.ts';
import type { Column } from '../../src/kit/store/columns.ts';
import { openStore } from '../../src/kit/store/open-store.ts';
import { parentsFirst, tablesOf } from '../../src/kit/store/table.ts';
import { createReport, seconds } from '../support/check-report.ts';
import { startPostgres } from '../support/embedded-postgres.ts';
import { command } from '../support/server-command.ts';

/** Copies 100,000 records of each kind from SQLite to PostgreSQL, and tries to do it again. */
const COUNT = 100_000;
const { check, failures } = createReport(false);
const folder = mkdtempSync(join(tmpdir(), 'accord-copy-'));
const file = join(folder, 'large.db');
await (await openStore(`sqlite:${file}`, api)).store.close();
const database = new DatabaseSync(file);
database.exec(`CREATE TEMP TABLE n AS
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT}) SELECT i FROM n`);
const tables = parentsFirst(tablesOf(api.tables));
for (const { sql, kind, columns } of tables) {
  const version = kind === 'collection' ? [['version', '1 + i % 7'] as const] : [];
  const given = [...version, ...columns.map((column) => [column.name, cellOf(column)] as const)];
  const [names, values] = [given.map(([name]) => name), given.map(([, value]) => value)];
  database.exec(`INSERT INTO ${sql} (${names.join()}) SELECT ${values.join()} FROM n`);
}
database.close();

const postgres = await startPostgres();
const url = await postgres.createDatabase('copy');
const start = performance.now();
const said = await command('copy', {}, [`sqlite:${file}`, url]);
process.stdout.write(said);
const counted = said.match(/: 100000 copied, each compared/g)?.length;
const elapsed = seconds(performance.now() - start);
check(counted === tables.length, `${counted} tables of ${COUNT} records in ${elapsed}`);
const again = await command('copy', {}, [`sqlite:${file}`, url]);
check(again.includes('into an empty database'), `again: ${again.trim().replaceAll('\n', ', ')}`);
await postgres.remove();
rmSync(folder, { recursive: true });
process.exitCode = failures() === 0 ? 0 : 1;

/** A value of a column, by the number of its record. */
function cellOf({ type, field }: Column): string {
  const values: Partial<Record<Column['type'], string>> = {
    'long text': 'hex(randomblob(i % 200))',
    integer: 'i',
    number: "i || '.5'",
    boolean: 'i % 2',
    date: "'2026-01-01'",
    'date-time': "'2026-01-01T00:00:00.' || i",
    uuid: "printf('00000000-0000-4000-8000-%012x', i)",
    json: "'[' || i || ']'",
  };
  return values[type] ?? `'${field} é😀"\\ ' || i`;
}
