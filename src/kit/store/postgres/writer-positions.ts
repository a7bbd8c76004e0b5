import type { Position } from '../replica-reading.ts';

export type WriterPositions = {
  /** How far the writer was, at most the bound ago; undefined where that is not known. */
  least(): Position | undefined;
  stop(): void;
};

const ASKED_EVERY = 500;

/**
 * Asks the writer for its position again and again. A replica that has come as far as it was at some time within
 * the bound lags less than that, whether or not anything was written since.
 */
export function watchWriter(bound: number, ask: () => Promise<Position>): WriterPositions {
  const known: { readonly at: number; readonly position: Position }[] = [];
  let isAsking = false;

  async function note(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    // What was acknowledged by now is within the answer.
    const at = performance.now();
    try {
      known.push({ at, position: await ask() });
      forget();
    } catch {
      // It is away: what is known of it gets too old.
    } finally {
      isAsking = false;
    }
  }

  function forget(): void {
    const from = performance.now() - bound;
    while (known[0] && known[0].at < from) known.shift();
  }

  const timer = setInterval(note, Math.min(ASKED_EVERY, bound / 4)).unref();
  return {
    least() {
      forget();
      return known[0]?.position;
    },
    stop: () => clearInterval(timer),
  };
}
