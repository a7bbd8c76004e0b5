import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAccess } from '../../src/access.ts';
import { createApp } from '../../src/app.ts';
import { type Contract, parseContract } from '../../src/contract/contract.ts';
import { createLog } from '../../src/operations/log.ts';
import { createObservation } from '../../src/operations/observation.ts';
import { createOverload } from '../../src/operations/overload.ts';
import type { AnyHandlers } from '../../src/rest/endpoint.ts';
import { createAnswerProblem } from '../../src/rest/problem.ts';
import { createRefusals } from '../../src/rest/refusals.ts';
import { createValidate } from '../../src/rest/validate.ts';
import { createServer } from '../../src/server.ts';

type ContractServer = {
  readonly url: string;
  readonly contract: Contract;
  readonly log: string[];
  /** What it counts. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
};

/** Serves a contract of the test's own; holds a share of the responses against it. */
export async function serveContract(
  text: string,
  handlers: AnyHandlers,
  share = 0,
): Promise<ContractServer> {
  const log: string[] = [];
  const lines = createLog('info', (line) => log.push(line));
  const contract = await parseContract(text);
  const access = createAccess(undefined);
  const answerProblem = createAnswerProblem(lines.failure);
  const validate = createValidate(contract, createRefusals());
  const rest = createApp({ contract, handlers, access, answerProblem, validate });
  const observation = createObservation({ contract, digest: '', log: lines, share });
  const { watch, sample } = observation;
  const observers = sample ? [sample] : [];
  const server = createServer({
    rest,
    graphql: async () => {},
    digest: '',
    watch,
    observers,
    overload: createOverload(),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    contract,
    log,
    metrics: observation.metrics,
    async stop() {
      await observation.stop();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
