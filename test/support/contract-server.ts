import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Contract, parseContract } from '../../src/kit/contract/contract.ts';
import { createAccess } from '../../src/kit/http/authentication.ts';
import { createOverload } from '../../src/kit/http/overload.ts';
import { createServer } from '../../src/kit/http/server.ts';
import type { Observer } from '../../src/kit/observe/guard.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { createObservation } from '../../src/kit/observe/observation.ts';
import { createApp } from '../../src/kit/rest/express-app.ts';
import type { AnyHandlers } from '../../src/kit/rest/full-path.ts';
import { createFastLane } from '../../src/kit/rest/lane.ts';
import { createAnswerProblem } from '../../src/kit/rest/problem.ts';
import { createRefusals } from '../../src/kit/rest/refusals.ts';
import { createValidate } from '../../src/kit/rest/validator.ts';

type ContractServer = {
  readonly url: string;
  readonly contract: Contract;
  readonly log: string[];
  /** What it counts. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
};

type Options = {
  /** Which share of the responses is held against the contract. */
  readonly share?: number;
  /** The contract that a fast lane before the full path reads; a fault in the lane is one that differs. */
  readonly lane?: string;
  /** Somebody else who looks at exchanges. */
  readonly observer?: Observer;
};

/** Serves a contract of the test's own, by the full path alone unless there is to be a lane. */
export async function serveContract(
  text: string,
  handlers: AnyHandlers,
  { share = 0, lane, observer }: Options = {},
): Promise<ContractServer> {
  const log: string[] = [];
  const lines = createLog('info', (line) => log.push(line));
  const contract = await parseContract(text);
  const access = createAccess<string>(undefined, (_, authenticate) => authenticate());
  const observation = createObservation({ contract, digest: '', log: lines, share });
  const { watch, sample, guard } = observation;
  const answerProblem = createAnswerProblem(guard.quiet('log', lines.failure));
  const refusals = createRefusals();
  const validate = createValidate(contract, refusals);
  const parts = { handlers, access, answerProblem, validate };
  const fullPath = createApp({ contract, ...parts });
  const rest = lane
    ? createFastLane({ contract: await parseContract(lane), ...parts, refusals, fullPath })
    : fullPath;
  const looking = observer && guard.observer('test', observer);
  const observers = [looking, sample].filter((each) => each !== undefined);
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
