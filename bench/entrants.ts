import type { Case } from './cases.ts';
import type { Data } from './databases.ts';
import type { Entrant } from './pairs.ts';
import { type Peer, startServer } from './servers.ts';

/** A server that is asked what it supports of some cases, on a new copy of the data each time it is started. */
export const entrant = (peer: Peer, data: Data, cases: readonly Case[]): Entrant => ({
  name: peer.name,
  title: peer.title,
  async start() {
    const own = peer.data === 'json' ? data.copyJson(peer.name) : await data.copy(peer.name);
    return startServer(peer, own, data.cluster);
  },
  asked(name) {
    const found = cases.find((each) => each.name === name);
    return found && does(peer, found) ? found : undefined;
  },
});

function does({ protocols, omits }: Peer, { name, protocol }: Case): boolean {
  return protocols.includes(protocol) && !omits?.includes(name);
}
