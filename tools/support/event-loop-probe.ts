import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a server under test: prints the longest event loop delay in milliseconds on SIGUSR2, and the most CPU that
// one turn of the event loop took, which does not depend on how busy the machine is.
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let last = 0;
let most = 0;
setInterval(() => {
  const { user, system } = process.threadCpuUsage();
  if (last > 0) most = Math.max(most, user + system - last);
  last = user + system;
}, 5).unref();
process.on('SIGUSR2', () => {
  process.stdout.write(`delay ${(delay.max / 1e6).toFixed(1)}\n`);
  process.stdout.write(`turn ${(most / 1000).toFixed(1)}\n`);
  delay.reset();
  most = 0;
});
