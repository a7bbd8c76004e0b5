import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded into a server under test: says on a signal for how long at most its event loop stood still. */
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('SIGUSR2', () => {
  process.stdout.write(`delay ${(delay.max / 1e6).toFixed(1)}\n`);
  delay.reset();
});
