import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, type Fault, type Report, seconds } from '../support/check-report.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { type Instance, startInstance } from '../support/server-instance.ts';
import { type KeyedLoad, startKeyedLoad } from './keyed-load.ts';
import { type Cluster, createClusterDatabase, type Member, startCluster } from './patroni.ts';
import { requirePackages } from './program.ts';
import { longestGap, startWriteProbe } from './write-probe.ts';

const WRITERS = 16;
const READERS = 16;
// Milliseconds that requests may be refused for longer than the cluster takes no writes.
const MOST_MORE = 2000;
const ETCD_AWAY = 15_000;

/** Takes away each part of a PostgreSQL cluster under two servers. */
export const cluster: Fault = {
  promise:
    'A database server that dies is replaced by its standby: nothing acknowledged is lost, nothing is done twice',
  how: 'three PostgreSQL under Patroni and etcd with synchronous replication, two instances, 16 writers that repeat each write until it is acknowledged, a `POST` under its `Idempotency-Key`, 16 readers: five times kill -9 of the primary, once more with its standbys behind, its network cut, a switchover, a standby lost, etcd lost for 15 s, PgBouncer restarted; a control without synchronous replication',

  async run(report, isShort) {
    const missing = whatIsMissing();
    if (missing) return { skipped: missing };
    requirePackages({
      '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
      patroni: 'patroni',
      etcd: 'etcd-server',
      pgbouncer: 'pgbouncer',
    });
    const figures = await withCluster(true, (site) => takeAway(report, site, isShort));
    if (isShort) return figures;
    const lost = await withCluster(false, (site) => control(report, site));
    return `${figures}; control without synchronous replication: ${lost}`;
  },
};

function whatIsMissing(): string | undefined {
  if (userInfo().uid !== 0) return 'only root may run PostgreSQL and etcd as another user';
  if (spawnSync('apt-get', ['--version']).status !== 0) return 'needs the packages of Debian';
  return undefined;
}

type Site = {
  readonly cluster: Cluster;
  readonly instances: readonly Instance[];
  readonly load: KeyedLoad;
};

/** Two instances on a cluster, written to and read from. */
async function withCluster(
  isSynchronous: boolean,
  use: (site: Site) => Promise<string>,
): Promise<string> {
  const cluster = startCluster(isSynchronous);
  const instances: Instance[] = [];
  let load: KeyedLoad | undefined;
  try {
    await cluster.ready();
    await createClusterDatabase(cluster, 'accord');
    const env = { DATABASE_URL: cluster.address('accord') };
    instances.push(await startInstance(env), await startInstance(env));
    await Promise.all(instances.map(({ ready }) => ready()));
    const urls = instances.map(({ url }) => url);
    load = startKeyedLoad(urls, WRITERS, READERS);
    return await use({ cluster, instances, load });
  } finally {
    // A client whose server is gone ends.
    for (const { server } of instances) server.child.kill('SIGKILL');
    await load?.stop();
    await cluster.remove();
  }
}

async function takeAway(
  report: Report,
  { cluster, instances, load }: Site,
  isShort: boolean,
): Promise<string> {
  const { check, timing, note } = report;
  const probe = await startWriteProbe(cluster);
  const gaps: { name: string; ours: number; theirs: number }[] = [];

  /** What a fault costs the clients, beside what it costs whoever asks the cluster itself. */
  async function suffer(name: string, act: () => Promise<() => void | Promise<void>>) {
    await Promise.all([load.writing(), probe.writing()]);
    const from = performance.now();
    const mend = await act();
    // What was under way may be acknowledged still.
    await sleep(1000);
    await probe.writing();
    await load.writing();
    const to = performance.now();
    await mend();
    await cluster.ready();
    const theirs = longestGap(probe.committed, from, to);
    const ours = Math.max(...load.acknowledged.map((times) => longestGap(times, from, to)));
    gaps.push({ name, ours, theirs });
    const more = Math.max(0, ours - theirs);
    timing(
      more <= MOST_MORE,
      `${name}: ${seconds(ours)} without writes, of which ${seconds(more)} more than the cluster`,
    );
  }

  const killed = async (member: Member) => {
    await member.kill();
    return member.start;
  };
  for (let round = 1; round <= (isShort ? 1 : 5); round++) {
    await suffer('kill -9 of the primary', async () => killed(await cluster.leader()));
  }
  if (!isShort) {
    const { cut } = await cluster.leader();
    if (cut) {
      await suffer('network of the primary cut', async () => {
        cut.off();
        return cut.on;
      });
    } else note('the network of the primary cannot be cut here: no network namespaces');
    await suffer('switchover', async () => {
      await cluster.switchOver();
      return () => {};
    });
    await suffer('kill -9 with both standbys behind', () => killedAhead(cluster));
    await suffer('standby lost', async () => killed(await cluster.syncStandby()));
    await suffer('etcd lost', async () => {
      await cluster.etcd.kill();
      await sleep(ETCD_AWAY);
      cluster.etcd.start();
      return () => {};
    });
    const ours = await poolerRestarted(report, cluster);
    gaps.push({ name: 'PgBouncer restarted', ours, theirs: ours });
  }

  await probe.stop();
  await load.stop();
  const found = await judge(
    report,
    load,
    instances.map(({ url }) => url),
  );
  check(found.lost + found.doubled === 0, found.text);
  check(
    instances.every(({ isAlive }) => isAlive()),
    'every process lives',
  );
  const times = [...Map.groupBy(gaps, ({ name }) => name)].map(([name, each]) => {
    const figures = each.map(({ ours }) => (ours / 1000).toFixed(1)).join(' / ');
    return `${name} ${figures} s`;
  });
  const more = Math.max(...gaps.map(({ ours, theirs }) => ours - theirs), 0);
  return `${found.text}; without writes: ${times.join(', ')}, at most ${seconds(more)} more than the cluster itself`;
}

/** An instance that reaches each server through a PgBouncer of its own, of which one is restarted. */
async function poolerRestarted({ check, timing }: Report, cluster: Cluster): Promise<number> {
  const name = 'pooled';
  await createClusterDatabase(cluster, name);
  const poolers = await Promise.all(
    cluster.members.map(({ address }) => startPgBouncer(address(name))),
  );
  const hosts = poolers.map(({ address }) => new URL(address('postgres://x')).host).join();
  const query = 'target_session_attrs=read-write&prepared_statements=off';
  const instance = await startInstance({
    DATABASE_URL: `postgres://postgres@${hosts}/${name}?${query}`,
  });
  try {
    await instance.ready();
    const load = startKeyedLoad([instance.url], 4, 4);
    await load.writing();
    let longest = 0;
    for (const { restart } of poolers) {
      const from = performance.now();
      await restart();
      await load.writing();
      longest = Math.max(longest, longestGap(load.acknowledged[0] ?? [], from, performance.now()));
    }
    await load.stop();
    const { lost, doubled } = await load.compare(instance.url);
    const wrong = [...load.violations, ...lost, ...doubled];
    check(
      wrong.length === 0,
      `each PgBouncer restarted: ${wrong.length} lost, doubled or undeclared ${wrong.slice(0, 3)}`,
    );
    timing(longest <= MOST_MORE, `  ${seconds(longest)} without writes`);
    return longest;
  } finally {
    await instance.stop();
    await Promise.all(poolers.map(({ stop }) => stop()));
  }
}

/** Cuts the standbys off for half a second, then ends the primary: what it alone has is lost with it. */
async function killedAhead({ leader, members }: Cluster): Promise<() => void> {
  const primary = await leader();
  const standbys = members.filter((each) => each !== primary);
  for (const { cut } of standbys) cut?.off();
  await sleep(500);
  await primary.kill();
  // A dead machine does not send what is in its buffers.
  primary.cut?.off();
  for (const { cut } of standbys) cut?.on();
  return () => {
    primary.cut?.on();
    primary.start();
  };
}

/** The same kills where a commit waits for no standby. */
async function control({ note }: Report, { cluster, instances, load }: Site): Promise<string> {
  for (let round = 1; round <= 2; round++) {
    await load.writing();
    const mend = await killedAhead(cluster);
    await sleep(1000);
    await load.writing();
    mend();
    await cluster.ready();
  }
  await load.stop();
  const [instance] = instances;
  const { lost } = await load.compare(instance?.url ?? '');
  const total = load.acknowledged.flat().length;
  note(`control: ${lost.length} of ${total} acknowledged writes lost, ${counted(load.answers)}`);
  return `${lost.length} of ${total} lost`;
}

async function judge({ check, note }: Report, load: KeyedLoad, urls: readonly string[]) {
  const results = await Promise.all(urls.map(load.compare));
  const lost = results.flatMap((each) => each.lost);
  const doubled = results.flatMap((each) => each.doubled);
  check(
    load.violations.length === 0,
    `only 2xx, 503 with Retry-After, 404 for a repeated DELETE: ${counted(load.answers)}`,
  );
  for (const text of [...load.violations, ...lost, ...doubled].slice(0, 10)) note(text);
  const total = load.acknowledged.flat().length;
  const text = `${total} acknowledged writes, ${lost.length} lost or altered, ${doubled.length} doubled, ${load.answers.get('503') ?? 0} refused with 503`;
  return { lost: lost.length, doubled: doubled.length, text };
}
