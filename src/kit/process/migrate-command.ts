import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Api, tablesOf } from '../api-declaration.ts';
import { present } from '../errors.ts';
import { shownAddress } from '../store/database-address.ts';
import { requireExpanding } from '../store/migration-check.ts';
import { draftMigration } from '../store/migration-draft.ts';
import { openStore } from '../store/open-store.ts';
import { readSettings, type Settings } from './settings.ts';

/** `migrate`, `migrate --draft [name]` or `migrate --check [postgres://…]`. */
export async function migrate(api: Api, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { draft: { type: 'boolean' }, check: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [named, ...more] = positionals;
  const { draft: isDraft, check: isCheck } = values;
  if (more.length > 0 || (isDraft ? isCheck : named !== undefined && !isCheck)) {
    throw new Error('migrate takes nothing, --draft <name>, or --check [<empty database>]');
  }
  if (isDraft) return draft(api, named);
  if (isCheck) return check(api, named);
  return bringUpToDate(api, readSettings(process.env));
}

async function bringUpToDate(api: Api, { databaseUrl }: Settings): Promise<void> {
  const database = shownAddress(databaseUrl);
  const onWaiting = (cause: unknown) =>
    process.stderr.write(`waiting for the database ${database}: ${cause}\n`);
  const { store, ready } = await openStore(databaseUrl, { ...present(tablesOf(api)), onWaiting });
  const { isNew } = await ready.finally(() => store.close());
  process.stdout.write(`The database ${database} ${isNew ? 'was made' : 'is up to date'}.\n`);
}

/** Whether the release before each migration can run beside it. */
async function check(api: Api, postgres: string | undefined): Promise<void> {
  const { migrations } = present(tablesOf(api));
  await requireExpanding(migrations);
  if (postgres) await requireExpanding(migrations, postgres);
  const engines = postgres ? 'SQLite and PostgreSQL' : 'SQLite';
  process.stdout.write(`Releases can run beside the migrations of ${engines}.\n`);
}

/** Writes the migration files that lead to the declared tables. */
function draft(api: Api, name: string | undefined): void {
  const declared = present(tablesOf(api));
  const engines = ['sqlite', 'postgres'] as const;
  const folderOf = (engine: string) => new URL(`${engine}/`, declared.migrations);
  for (const engine of engines) mkdirSync(folderOf(engine), { recursive: true });
  const drafted = draftMigration(declared, name);
  if (!drafted) {
    process.stdout.write('The migrations lead to the tables that are declared.\n');
    return;
  }
  for (const engine of engines) {
    const file = fileURLToPath(new URL(drafted.file, folderOf(engine)));
    writeFileSync(file, drafted[engine], { flag: 'wx' });
    process.stdout.write(`Drafted ${relative('.', file)}: read it before you use it.\n`);
  }
}
