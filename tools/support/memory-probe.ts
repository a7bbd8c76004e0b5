// Loaded into a server under test: prints the bytes in use after a garbage collection on SIGUSR2.
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`memory ${heapUsed + external}\n`);
});
