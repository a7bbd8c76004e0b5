import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a server under test: prints the longest event loop delay in milliseconds on SIGUSR2.
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('SIGUSR2', () => {
  process.stdout.write(`delay ${(delay.max / 1e6).toFixed(1)}\n`);
  delay.reset();
});
