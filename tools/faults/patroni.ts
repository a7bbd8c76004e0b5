import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createSites, type Site } from './network-sites.ts';

// Odd and below the ephemeral range: a connection to a dead port cannot meet itself.
const PORT = 5433;
const REST_PORT = 8009;
const ETCD_PORT = 2379;
const PASSWORD = 'not a secret';
const LONGEST_STOP = 20_000;
const PROGRAMS = '/usr/lib/postgresql/15/bin';

export type Member = {
  readonly name: string;
  /** The address of a database on it alone. */
  address(database: string): string;
  start(): void;
  /** Ends PostgreSQL and Patroni with SIGKILL, as if the machine died. */
  kill(): Promise<void>;
  readonly cut: Site['cut'];
};

export type Cluster = {
  readonly members: readonly Member[];
  /** The address of a database, with all hosts. */
  address(database: string): string;
  /** The one that has the lock, and a standby that has all that was acknowledged. */
  leader(): Promise<Member>;
  syncStandby(): Promise<Member>;
  /** Resolves when there is a leader, and every other member follows it. */
  ready(): Promise<void>;
  switchOver(): Promise<void>;
  readonly etcd: { start(): void; kill(): Promise<void> };
  remove(): Promise<void>;
};

type Listed = {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  /** Bytes behind the leader. */
  readonly lag?: number | 'unknown';
};

// Patroni makes no standby the leader that is further behind.
const MOST_LAG = 1_048_576;

/** Three PostgreSQL under Patroni and etcd, each in a network of its own where that is possible. */
export function startCluster(isSynchronous: boolean): Cluster {
  const sites = createSites(3);
  const folder = mkdtempSync(join(tmpdir(), 'accord-cluster-'));
  const { uid, gid } = postgresUser();
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
  const running = new Set<ChildProcess>();
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];

  function run([program = '', ...args]: readonly string[], log: string): ChildProcess {
    const output = openSync(join(folder, log), 'a');
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', output, output] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  }
  // PostgreSQL is no child of this process, nor of Patroni.
  const endAll = () => {
    for (const child of running) child.kill('SIGKILL');
    for (const { name } of members) signal(postmaster(name), 'SIGQUIT');
  };

  const client = `http://${sites.gateway}:${ETCD_PORT}`;
  const peer = `http://${sites.gateway}:${ETCD_PORT + 1}`;
  const etcdCommand = [
    ...asPostgres,
    'etcd',
    ...['--data-dir', join(folder, 'etcd'), '--log-level', 'error'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
  ];
  const etcd = restartable(() => run(etcdCommand, 'etcd.log'));

  const postmaster = (name: string) => {
    try {
      const [pid] = readFileSync(join(folder, name, 'postmaster.pid'), 'utf8').split('\n');
      return Number(pid);
    } catch {
      return undefined;
    }
  };

  const members = sites.all.map((site, i) => {
    const name = `pg${i + 1}`;
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(settings(name, site.host)));
    chmodSync(file, 0o644);
    mkdirSync(join(folder, name), { mode: 0o700 });
    chownSync(join(folder, name), uid, gid);
    const patroni = restartable(() =>
      run(site.at([...asPostgres, 'patroni', file]), `${name}.log`),
    );
    return {
      name,
      host: site.host,
      cut: site.cut,
      address: (database: string) => addressOf(site.host, database),
      start: patroni.start,
      async kill() {
        const pid = postmaster(name);
        await patroni.kill();
        signal(pid, 'SIGKILL');
      },
      stop: patroni.stop,
    };
  });

  function settings(name: string, host: string) {
    const user = (username: string) => ({ username, password: PASSWORD });
    return {
      scope: 'accord',
      name,
      restapi: { listen: `${host}:${REST_PORT}`, connect_address: `${host}:${REST_PORT}` },
      etcd3: { host: `${sites.gateway}:${ETCD_PORT}` },
      bootstrap: {
        dcs: {
          ttl: 10,
          loop_wait: 2,
          retry_timeout: 3,
          synchronous_mode: isSynchronous,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 100 } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      },
      postgresql: {
        listen: `${host}:${PORT}`,
        connect_address: `${host}:${PORT}`,
        data_dir: join(folder, name),
        bin_dir: PROGRAMS,
        pgpass: join(folder, `${name}.pgpass`),
        pg_hba: ['host all all all md5', 'host replication all all md5'],
        authentication: {
          superuser: user('postgres'),
          replication: user('replicator'),
          rewind: user('rewinder'),
        },
        parameters: { unix_socket_directories: '' },
      },
    };
  }

  async function listed(): Promise<readonly Listed[]> {
    for (const { host } of members) {
      const answer = await ask(`http://${host}:${REST_PORT}/cluster`);
      if (answer?.ok) return Object(await answer.json()).members ?? [];
    }
    return [];
  }

  async function isHealthy({ host }: { readonly host: string }): Promise<boolean> {
    return (await ask(`http://${host}:${REST_PORT}/health`))?.ok ?? false;
  }

  async function withRole(role: string): Promise<Member> {
    for (;;) {
      const found = (await listed()).find((each) => each.role === role)?.name;
      const member = members.find(({ name }) => name === found);
      if (member && (await isHealthy(member))) return member;
      await sleep(200);
    }
  }

  async function ready(): Promise<void> {
    for (;;) {
      const all = await listed();
      const isUp = ({ state, lag = 0 }: Listed) =>
        (state === 'running' || state === 'streaming') && Number(lag) < MOST_LAG;
      const roles = all.filter(isUp).map(({ role }) => role);
      const isComplete = roles.length === members.length && roles.includes('leader');
      // A dead member is listed until its lease is over.
      const up = await Promise.all(members.map(isHealthy));
      if (isComplete && up.every(Boolean) && (!isSynchronous || roles.includes('sync_standby')))
        return;
      await sleep(200);
    }
  }

  process.once('exit', endAll);
  etcd.start();
  for (const member of members) member.start();
  return {
    members,
    address(database) {
      const hosts = members.map(({ host }) => `${host}:${PORT}`).join();
      return `${addressOf(hosts, database, '')}?target_session_attrs=read-write`;
    },
    leader: () => withRole('leader'),
    syncStandby: () => withRole('sync_standby'),
    ready,
    async switchOver() {
      const [from, to] = [await withRole('leader'), await withRole('sync_standby')];
      const host = members.find(({ name }) => name === from.name)?.host;
      const answer = await fetch(`http://${host}:${REST_PORT}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from.name, candidate: to.name }),
      });
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
    },
    etcd,
    async remove() {
      // Patroni stops its PostgreSQL when it is told to stop.
      await Promise.all(members.map(({ stop }) => stop()));
      await etcd.kill();
      for (const { name } of members) {
        const pid = postmaster(name);
        signal(pid, 'SIGQUIT');
        while (signal(pid, 0)) await sleep(50);
      }
      process.off('exit', endAll);
      sites.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A new database, known to every member. */
export async function createClusterDatabase(cluster: Cluster, name: string): Promise<void> {
  const leader = new Client({ connectionString: (await cluster.leader()).address('postgres') });
  await leader.connect();
  await leader.query(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  await leader.end();
  for (const { address } of cluster.members) {
    for (;;) {
      const client = new Client({ connectionString: address(name) });
      client.on('error', () => {});
      const isThere = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end();
      if (isThere) break;
      await sleep(100);
    }
  }
}

function restartable(run: () => ChildProcess) {
  let child: ChildProcess | undefined;
  const end = async (how: 'SIGTERM' | 'SIGKILL') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(how);
    const late = setTimeout(() => child?.kill('SIGKILL'), LONGEST_STOP);
    await ended;
    clearTimeout(late);
  };
  return {
    start() {
      child = run();
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

function addressOf(host: string, database: string, port = `:${PORT}`): string {
  return `postgres://postgres:${encodeURIComponent(PASSWORD)}@${host}${port}/${database}`;
}

/** Whether the process was there. */
function signal(pid: number | undefined, name: NodeJS.Signals | 0): boolean {
  if (!pid) return false;
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function ask(url: string): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
}

function postgresUser() {
  const id = (option: string) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
