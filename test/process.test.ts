import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { spawnServer } from './support/spawn.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));
const database = (name: string) => `sqlite:${join(folder, name)}`;

describe('npm start', () => {
  it('makes the database with demo data, says where to look, logs each request, drains', async () => {
    const env = { DATABASE_URL: database('deep/down/demo.db'), SEED_DEMO: 'true' };
    const first = spawnServer(env);
    const url = await first.ready();
    expect(await count(`${url}/books`)).toBe(3);
    await fetch(`${url}/books/1`, { method: 'DELETE' });
    first.child.kill('SIGTERM');
    expect(await first.ended()).toBe(0);
    expect(first.output()).toContain(`${url}/openapi.yaml`);
    expect(first.output()).toMatch(
      /"operation":"listBooks","method":"GET","path":"\/books","status":200,"ms":[0-9.]+}$/m,
    );

    const second = spawnServer(env);
    const again = await second.ready();
    expect(await count(`${again}/books`)).toBe(2);
    second.child.kill('SIGINT');
    expect(await second.ended()).toBe(0);
  });

  it.each([
    [{ SEED_DEMO: 'false' }, 0],
    [{}, 0],
    [{ SEED_DEMO: 'true' }, 3],
  ])(
    'puts demo data into a database that was chosen only when asked to: %j',
    async (env, records) => {
      const server = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...env });
      expect(await count(`${await server.ready()}/tasks`)).toBe(records);
      server.child.kill();
      await server.ended();
    },
  );

  it.each([
    ['PORT', 'x', 'accord: PORT takes a whole number from 0 to 65535, not "x"'],
    ['PORT', '65536', 'accord: PORT takes a whole number from 0 to 65535, not "65536"'],
    ['SEED_DEMO', 'yes', 'accord: SEED_DEMO takes true or false, not "yes"'],
    ['LOG_LEVEL', 'loud', 'accord: LOG_LEVEL takes info, error or silent, not "loud"'],
    ['DATABASE_URL', 'mysql://x', 'accord: DATABASE_URL takes sqlite:<file>'],
  ])('%s=%s is refused by name, in one line', async (name, value, line) => {
    const server = spawnServer({ [name]: value });
    expect(await server.ended()).toBe(1);
    expect(server.output()).toContain(line);
    expect(server.output().trim().split('\n').length).toBe(1);
  });

  it('refuses a file that is not a database', async () => {
    writeFileSync(join(folder, 'text.db'), 'This is text and not a database. '.repeat(100));
    const server = spawnServer({ DATABASE_URL: database('text.db') });
    expect(await server.ended()).toBe(1);
    expect(server.output()).toMatch(/^accord: .*not a database/);
  });
});

async function count(url: string): Promise<number> {
  return Object(await (await fetch(url)).json()).length;
}
