// engines: postgres
// slow: starts processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { command } from '../../../tools/support/server-command.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';
import { openLink } from '../../support/link.ts';

needPostgres();

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
