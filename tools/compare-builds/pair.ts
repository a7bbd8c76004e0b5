import { startServer } from './build-process.ts';
import type { Exchange } from './compared-exchange.ts';
import type { Databases } from './databases.ts';
import type { Difference } from './intended.ts';
import { type Common, comparable } from './masks.ts';
import { createPeer } from './peer.ts';
import type { Variant } from './variants.ts';

export type Checkouts = { readonly base: string; readonly own: string };

/** The servers of two checkouts, in the same state. */
export type Pair = {
  /** What both answered, in the form in which it is compared. */
  send(exchange: Exchange): Promise<Difference>;
  /** Whether both processes still run; otherwise what the one that ended has printed. */
  ended(): string | undefined;
  stop(): Promise<void>;
};

const settings = { SEED_DEMO: 'true', LOG_LEVEL: 'error', RESPONSE_SAMPLE: '0' };

export async function startPair(
  checkouts: Checkouts,
  databases: Databases,
  variant: Variant,
  common: Common,
): Promise<Pair> {
  const start = async (checkout: string) =>
    startServer(checkout, {
      ...settings,
      DATABASE_URL: await databases.create(),
      ...variant.settings,
    });
  const servers = await Promise.all([start(checkouts.base), start(checkouts.own)]);
  const peers = servers.map(({ port }) => createPeer(port));
  return {
    async send(exchange) {
      const outcomes = await Promise.all(peers.map((peer) => peer.send(exchange)));
      const [before = '', after = ''] = outcomes.map((each) => comparable(exchange, each, common));
      return { variant: variant.name, exchange, before, after };
    },
    ended: () => servers.find((each) => !each.isAlive())?.output(),
    async stop() {
      for (const peer of peers) peer.close();
      await Promise.all(servers.map((each) => each.stop()));
    },
  };
}
