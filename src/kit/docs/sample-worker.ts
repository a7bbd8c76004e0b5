import { parentPort, workerData } from 'node:worker_threads';
import { createOperationSamples } from './operation-samples.ts';
import type { Question } from './sample-thread.ts';

// What createSampleThread gives.
const samplesOf = createOperationSamples(
  workerData as Parameters<typeof createOperationSamples>[0],
);

parentPort?.on('message', ({ id, operation }: Question) => {
  parentPort?.postMessage({ id, samples: samplesOf(operation) });
});
