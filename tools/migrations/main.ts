import { api } from '../../src/api/api.ts';
import { startPostgres } from '../support/embedded-postgres.ts';
import { checkMigrations } from './check-migrations.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const check = async (engine: string, address: string) => {
  await checkMigrations(address, api);
  say(
    `The migrations of ${engine} lead to the tables that are declared, and releases can run beside them.`,
  );
};

try {
  await check('SQLite', 'sqlite::memory:');
  const postgres = await startPostgres(['fsync=off']).catch((error: unknown) => {
    if (process.env.CI === 'true') throw error;
    say(`PostgreSQL does not start here: its migrations are not checked. ${error}`);
    return undefined;
  });
  if (postgres) {
    await check('PostgreSQL', await postgres.createDatabase('migrations')).finally(postgres.remove);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
