import { AggregatorRegistry } from 'prom-client';
import { ALONE } from './cluster-metrics.ts';
import type { Family } from './counters.ts';

/** What the processes of a server count, as text for Prometheus. Each process has its own label. */
export async function exposition(
  processes: ReadonlyMap<number, readonly Family[]>,
): Promise<string> {
  const all = [...processes].map(([worker, families]) =>
    worker === ALONE ? families : families.map((family) => labelled(family, worker)),
  );
  return AggregatorRegistry.aggregate(all).metrics();
}

// A sum over processes would fall when one of them is replaced, which Prometheus takes for a restart of
// the whole: it would count everything again.
function labelled(family: Family, worker: number): Family {
  const values = family.values.map((each) => ({ ...each, labels: { worker, ...each.labels } }));
  return { ...family, values };
}
