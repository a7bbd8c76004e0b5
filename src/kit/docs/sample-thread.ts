import { Worker } from 'node:worker_threads';
import type { ModelSources } from '../sdk/model.ts';
import type { OperationSamples } from './operation-samples.ts';

export type Question = { readonly id: number; readonly operation: string };

type Answer = { readonly id: number; readonly samples: OperationSamples | undefined };
type Waiting = {
  readonly resolve: (samples: OperationSamples | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/** How long a thread waits for the next question, in ms. */
const IDLE = 30_000;

/**
 * Asks for samples in a thread of its own, which ends when it is no longer asked: the model of GitHub's description alone
 * takes 2.5 s of CPU and 36 MB.
 */
export function createSampleThread({
  document,
  digest,
  schema,
}: ModelSources): (operation: string) => Promise<OperationSamples | undefined> {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let last = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    // A schema is not data; that there is one is enough.
    const workerData = { document, digest, schema: schema && {} };
    const started = new Worker(new URL('./sample-worker.ts', import.meta.url), { workerData });
    started.unref();
    started.on('message', ({ id, samples }: Answer) => {
      waiting.get(id)?.resolve(samples);
      waiting.delete(id);
      rest();
    });
    started.on('error', (error) => {
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    });
    return started;
  }

  function rest(): void {
    clearTimeout(idle);
    if (waiting.size > 0) return;
    idle = setTimeout(() => {
      void worker?.terminate();
      worker = undefined;
    }, IDLE).unref();
  }

  return (operation) => {
    clearTimeout(idle);
    worker ??= start();
    last += 1;
    const question: Question = { id: last, operation };
    worker.postMessage(question);
    return new Promise((resolve, reject) => waiting.set(question.id, { resolve, reject }));
  };
}
