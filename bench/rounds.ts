import type { Case } from './cases.ts';
import { openWindow, type Sample, type Window } from './measure.ts';
import type { Server } from './servers.ts';

/** A server, and what it is asked. */
export type Turn = { readonly server: Server; readonly each: Case };

/**
 * One round of one case. The servers take turns every two thousand requests at most, each time in another order,
 * so that whatever else the machine does meets all of them alike.
 */
export async function measureRound(
  turns: readonly Turn[],
  asked: number,
  /** The place of the server that begins. */
  first: number,
  onProgress: (server: Server) => void = () => {},
): Promise<Map<string, Sample>> {
  const windows: Window[] = [];
  for (const { server, each } of turns) windows.push(await openWindow(server, each, asked));
  const slices = Math.max(...windows.map((window) => window.slices));
  for (let i = 0; i <= slices; i++) {
    for (const window of rotated(windows, first + i)) {
      if (i > window.slices) continue;
      onProgress(window.server);
      await window.slice(i > 0);
    }
  }
  const samples = new Map<string, Sample>();
  for (const { server, end } of windows) samples.set(server.peer.name, await end());
  return samples;
}

// Every other time backwards, so that nobody always follows the same one.
function rotated<T>(list: readonly T[], by: number): T[] {
  const first = by % list.length;
  const order = [...list.slice(first), ...list.slice(0, first)];
  return by % 2 === 0 ? order : order.toReversed();
}
