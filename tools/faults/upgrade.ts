import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { counted, type Fault, type Report, seconds } from '../support/check-report.ts';
import { startPostgres } from '../support/embedded-postgres.ts';
import { freePort } from '../support/free-port.ts';
import { type Instance, startInstance } from '../support/server-instance.ts';
import { startNginx } from './nginx.ts';
import { startUpgradeLoad } from './upgrade-load.ts';
import { makeNextRelease, type Release } from './upgrade-release.ts';

const CLIENTS = 32;

/** Replaces the instances of a release by those of the next one, and back. */
export const upgrade: Fault = {
  promise: 'A release is replaced by the next one, and back, without a failed request',
  how: 'two instances behind nginx on one PostgreSQL, 32 clients of REST and GraphQL that repeat nothing; the migration of the next release (columns with and without a default, an index) is applied, each instance drained and replaced, and replaced back, three times; a control with a migration that drops a column',

  async run(report, isShort) {
    const postgres = await startPostgres();
    const DATABASE_URL = await postgres.createDatabase('upgrade');
    const release = makeNextRelease();
    const ports = [String(await freePort()), String(await freePort())] as const;
    const start = (PORT: string, program?: string) =>
      startInstance({ DATABASE_URL, PORT }, [], program);
    const instances = await Promise.all(ports.map((port) => start(port)));
    await Promise.all(instances.map(({ ready }) => ready()));
    const nginx = await startNginx(ports);
    try {
      const site = { instances, start, ports };
      const url = nginx.url;
      const figures = await rolling(report, site, release, url, DATABASE_URL, isShort ? 1 : 3);
      const control = await contracted(report, url, DATABASE_URL, release);
      return `${figures}; control: ${control}`;
    } finally {
      await nginx.stop();
      await Promise.all(instances.map(({ stop }) => stop()));
      await postgres.remove();
      release.remove();
    }
  },
};

type Site = {
  readonly instances: Instance[];
  readonly ports: readonly string[];
  start(port: string, program?: string): Promise<Instance>;
};

async function rolling(
  report: Report,
  { instances, ports, start }: Site,
  release: Release,
  url: string,
  DATABASE_URL: string,
  rounds: number,
): Promise<string> {
  const { check, note } = report;
  const load = startUpgradeLoad(url, CLIENTS);
  await sleep(1000);
  check(
    (await release.run('migrate', ['--draft', 'subtitle'], {})).includes('Drafted'),
    'the migration of the next release is drafted',
  );
  const checked = await release.run('migrate', ['--check'], {});
  check(checked.includes('can run beside'), 'it is one beside which this release can run');
  const from = performance.now();
  const migrated = await release.run('migrate', [], { DATABASE_URL });
  check(migrated.includes('is up to date'), 'npm run migrate');
  note(`took ${seconds(performance.now() - from)}`);
  await replaceAll('this release started again');
  for (let round = 1; round <= rounds; round++) {
    await replaceAll('replaced by the next release', release.program);
    await load.askNext(true);
    await sleep(1000);
    await load.askNext(false);
    await replaceAll('replaced by this release again');
  }
  await load.stop();

  /** Each of the instances in turn: SIGTERM, and another one at its port. */
  async function replaceAll(how: string, program?: string): Promise<void> {
    const codes = [];
    for (const [i, port] of ports.entries()) {
      const { server } = instances[i] ?? {};
      server?.child.kill('SIGTERM');
      codes.push(await server?.ended());
      const instance = await start(port, program);
      instances[i] = instance;
      await instance.ready();
      await sleep(300);
    }
    check(
      codes.every((code) => code === 0),
      `${how}: each ended with ${codes.join()}`,
    );
  }

  const total = [...load.answers.values()].reduce((sum, count) => sum + count, 0);
  check(load.failures.length === 0, `${load.failures.length} of ${total} requests failed`);
  const lost = await load.differences(DATABASE_URL);
  check(lost.length === 0, `${load.acknowledged()} acknowledged writes, ${lost.length} lost`);
  for (const text of [...load.failures, ...lost].slice(0, 10)) note(text);
  note(counted(load.answers));
  const replaced = ports.length * (1 + 2 * rounds);
  return `${replaced} instances replaced, ${total} requests, ${load.failures.length} failed; ${load.acknowledged()} acknowledged writes, ${lost.length} lost or altered`;
}

/** A release that drops what this one uses: the check refuses it, and requests fail. */
async function contracted(
  { check, note }: Report,
  url: string,
  DATABASE_URL: string,
  release: Release,
): Promise<string> {
  const sql = 'DROP INDEX books_by_pages; ALTER TABLE books DROP COLUMN pages';
  release.addMigration('900-no-pages', sql);
  const said = await release.run('migrate', ['--check'], {});
  check(
    said.includes('900-no-pages.sql drops the column books.pages'),
    'control: a migration that drops a column is refused by the check',
  );
  const load = startUpgradeLoad(url, CLIENTS);
  await sleep(500);
  const before = load.failures.length;
  const client = new Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query(sql);
  await client.end();
  await sleep(500);
  await load.stop();
  check(
    before === 0 && load.failures.length > 0,
    `control: applied all the same, ${load.failures.length} requests fail`,
  );
  note(counted(load.answers));
  return `with a migration that drops a column ${load.failures.length} requests fail`;
}
