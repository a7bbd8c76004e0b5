import { execFileSync } from 'node:child_process';

/** A machine as far as the network goes. */
export type Site = {
  readonly host: string;
  /** A command as it is run at this site. */
  at(command: readonly string[]): readonly string[];
  /** Takes its network away, and gives it back; undefined where that is not possible. */
  readonly cut: { off(): void; on(): void } | undefined;
};

export type Sites = {
  /** Where the one that is at no site listens. */
  readonly gateway: string;
  readonly all: readonly Site[];
  remove(): void;
};

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/** Network namespaces, joined by a bridge; where they are not permitted, addresses of the loopback device. */
export function createSites(count: number): Sites {
  const bridge = `accord${process.pid % 100_000}`;
  const subnet = `10.231.${process.pid % 250}`;
  const made: string[] = [];
  const remove = () => {
    for (const each of made.splice(0)) ip('netns', 'del', each);
    ip('link', 'del', bridge);
  };
  const create = (index: number): Site => {
    const name = `${bridge}-${index}`;
    const [host, outer] = [`${subnet}.${index}`, `${bridge}v${index}`];
    ip('netns', 'add', name);
    made.push(name);
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', outer, 'master', bridge, 'up');
    ip('-n', name, 'addr', 'add', `${host}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) ip('-n', name, 'link', 'set', device, 'up');
    return {
      host,
      at: (command) => ['ip', 'netns', 'exec', name, ...command],
      cut: {
        off: () => void ip('link', 'set', outer, 'down'),
        on: () => void ip('link', 'set', outer, 'up'),
      },
    };
  };
  const indexes = Array.from({ length: count }, (_, i) => i + 1);
  try {
    ip('link', 'add', bridge, 'type', 'bridge');
  } catch {
    const at = (command: readonly string[]) => command;
    const all = indexes.map((index) => ({ host: `127.0.77.${index}`, at, cut: undefined }));
    return { gateway: '127.0.77.254', all, remove() {} };
  }
  try {
    ip('addr', 'add', `${subnet}.254/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    return { gateway: `${subnet}.254`, all: indexes.map(create), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
