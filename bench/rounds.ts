import type { Case } from './cases.ts';
import { openWindow, type Sample, type Window } from './measure.ts';
import type { Server } from './servers.ts';

/**
 * One round of one case. The servers take turns every few hundred requests, each time in another order,
 * so that whatever else the machine does meets all of them alike.
 */
export async function measureRound(
  servers: readonly Server[],
  each: Case,
  asked: number,
  onProgress: (server: Server) => void = () => {},
): Promise<Map<string, Sample>> {
  const windows: Window[] = [];
  for (const server of servers) windows.push(await openWindow(server, each, asked));
  const slices = Math.max(...windows.map((window) => window.slices));
  for (let i = 0; i <= slices; i++) {
    for (const window of rotated(windows, i)) {
      if (i > window.slices) continue;
      onProgress(window.server);
      await window.slice(i > 0);
    }
  }
  const samples = new Map<string, Sample>();
  for (const { server, end } of windows) samples.set(server.peer.name, await end());
  return samples;
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const first = by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

/** Adds the samples of a round to those of the rounds before. */
export function addTo(samples: Map<string, Sample[]>, round: ReadonlyMap<string, Sample>): void {
  for (const [server, sample] of round) {
    samples.set(server, [...(samples.get(server) ?? []), sample]);
  }
}
