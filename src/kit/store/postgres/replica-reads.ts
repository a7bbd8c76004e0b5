import type { PoolClient, PoolConfig } from 'pg';
import { postgresAddress } from '../database-address.ts';
import { later, type Position, type Reading, type ReplicaOptions } from '../replica-reading.ts';
import { createReplicaHost, type ReplicaHost } from './replica-host.ts';
import { watchWriter } from './writer-positions.ts';

export type ReplicaReads = {
  /** The rows that a replica gave, or else the writer. */
  read<T>(
    fromReplica: (client: PoolClient) => Promise<T>,
    fromWriter: () => Promise<T>,
  ): Promise<T>;
  end(): Promise<void>;
};

/**
 * Asks replicas that have come as far as the request demands and lag less than the bound. One host answers the reads
 * of a request, so that none of them shows an earlier state than the one before; where it cannot, the writer
 * answers this read and those that follow.
 */
export function createReplicaReads(
  { url, lag, current, onRead, onLost, onBack }: ReplicaOptions,
  config: PoolConfig & { readonly max: number },
  writerPosition: () => Promise<Position>,
): ReplicaReads {
  const hosts = postgresAddress(url).hosts.map((host) =>
    createReplicaHost(host, config, {
      lost: (cause) => onLost(host, cause),
      back: () => onBack(host),
    }),
  );
  const writer = watchWriter(lag, writerPosition);
  const chosen = new WeakMap<Reading, ReplicaHost>();
  // The one that was not chosen for longest comes first.
  const order = new Set(hosts);

  /** Each in turn, of those that are worth asking. */
  function choose(reading: Reading, least: Position): ReplicaHost | undefined {
    const known = chosen.get(reading);
    if (known) return known;
    const host = [...order].find((each) => each.mayHave(least));
    if (host) {
      chosen.set(reading, host);
      order.delete(host);
      order.add(host);
    }
    return host;
  }

  async function ofReplica<T>(reading: Reading, work: (client: PoolClient) => Promise<T>) {
    const recent = writer.least();
    if (recent === undefined) return undefined;
    const least = later(reading.least, recent);
    return choose(reading, least)?.use(least, work);
  }

  return {
    async read(fromReplica, fromWriter) {
      const reading = current();
      const found = reading?.mayLag ? await ofReplica(reading, fromReplica) : undefined;
      onRead(found ? 'replica' : 'writer');
      if (found) return found.value;
      if (reading) reading.mayLag = false;
      return fromWriter();
    },
    async end() {
      writer.stop();
      await Promise.all(hosts.map((host) => host.end()));
    },
  };
}
