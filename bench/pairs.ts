import type { Case } from './cases.ts';
import type { Samples } from './figures.ts';
import type { Sample } from './measure.ts';
import { measureRound, type Turn } from './rounds.ts';
import type { Server } from './servers.ts';

/** One of the servers that are compared. */
export type Entrant = {
  readonly name: string;
  readonly title: string;
  start(): Promise<Server>;
  /** What it is asked in the case of this name; undefined where it does not support it. */
  asked(name: string): Case | undefined;
};

/** How much is measured. */
export type Work = {
  /** How often all servers are started afresh. */
  readonly pairs: number;
  /** How often each case is measured within a pair. */
  readonly rounds: number;
  readonly requests: number;
  readonly warmUp: number;
};

/**
 * In how many rounds the servers are warmed up. What V8 optimized for one case it gives up and optimizes again when
 * that case comes back after others.
 */
const WARM_UPS = 4;

type Progress = (part: number, stage: string, server: string) => void;

/**
 * Measures cases on several servers. Two processes of one program differ by some per cent for as long as they live,
 * because V8 decided otherwise: so all of them are started afresh for each pair, and warmed up.
 */
export async function measurePairs(
  entrants: readonly Entrant[],
  names: readonly string[],
  { pairs, rounds, requests, warmUp }: Work,
  onProgress: Progress,
  mayGoOn: () => boolean = () => true,
): Promise<Samples> {
  const samples = new Map(names.map((name) => [name, new Map<string, Sample[][]>()]));
  for (let pair = 0; pair < pairs && mayGoOn(); pair++) {
    const servers = new Map<string, Server>();
    try {
      for (const { name, title, start } of entrants) {
        onProgress(pair / pairs, `pair ${pair + 1} of ${pairs}: start`, title);
        servers.set(name, await start());
      }
      for (let round = 1 - WARM_UPS; round <= rounds; round++) {
        const isWarmUp = round <= 0;
        for (const [i, name] of names.entries()) {
          const done = round - 1 + WARM_UPS + i / names.length;
          const part = (pair + done / (rounds + WARM_UPS)) / pairs;
          const stage = `pair ${pair + 1} of ${pairs}, ${isWarmUp ? 'warm-up' : `round ${round} of ${rounds}`}: ${name}`;
          const turns = turnsOf(entrants, servers, name);
          const asked = isWarmUp ? warmUp / WARM_UPS : requests;
          const found = await measureRound(turns, asked, pair + WARM_UPS + round, ({ peer }) =>
            onProgress(part, stage, peer.title),
          );
          if (!isWarmUp) add(samples.get(name) ?? new Map(), found, pair);
        }
      }
    } finally {
      await Promise.all([...servers.values()].map((server) => server.stop()));
    }
  }
  return samples;
}

function turnsOf(
  entrants: readonly Entrant[],
  servers: ReadonlyMap<string, Server>,
  name: string,
): Turn[] {
  return entrants.flatMap((entrant) => {
    const [server, each] = [servers.get(entrant.name), entrant.asked(name)];
    return server && each ? [{ server, each }] : [];
  });
}

function add(
  samples: Map<string, Sample[][]>,
  round: ReadonlyMap<string, Sample>,
  pair: number,
): void {
  for (const [server, sample] of round) {
    const pairs = samples.get(server) ?? [];
    samples.set(server, pairs);
    pairs[pair] = [...(pairs[pair] ?? []), sample];
  }
}
