// Milliseconds within which signals are one: Ctrl-C comes from the terminal and once more through npm.
const SAME_SIGNAL = 200;

/** Resolves with the first of these signals. Another one, later, ends the process at once. */
export function untilSignal(names: readonly NodeJS.Signals[]): Promise<NodeJS.Signals> {
  let first: number | undefined;
  return new Promise((resolve) => {
    const heard = (name: NodeJS.Signals) => {
      const now = performance.now();
      first ??= now;
      if (now - first > SAME_SIGNAL) process.exit(1);
      resolve(name);
    };
    for (const name of names) process.on(name, heard);
  });
}
