import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../src/errors.ts';
import { startLoad } from '../../test/support/load.ts';
import { freePort, startPostgres } from '../../test/support/postgres.ts';
import { startInstance } from './instance.ts';
import { startNginx } from './nginx.ts';
import { counted, createReport, seconds } from './report.ts';

/**
 * Two instances behind nginx on one PostgreSQL under sixteen writers: drained one after the other, then
 * killed one after the other, each started again on its port.
 */
const WRITERS = 16;
const ROUNDS = 6;
const { check, end } = createReport();
const postgres = await startPostgres();
const DATABASE_URL = await postgres.createDatabase('balancer');
const ports = [String(await freePort()), String(await freePort())] as const;
const instances = await Promise.all(ports.map((PORT) => startInstance({ DATABASE_URL, PORT })));
await Promise.all(instances.map(({ ready }) => ready()));
const nginx = await startNginx(ports);

const drained = startLoad(nginx.url, WRITERS, () => false);
const codes = await inTurn('SIGTERM');
await drained.stop();
check(
  codes.every((code) => code === 0),
  `${ROUNDS} times one of two instances drained with SIGTERM, each ended with ${codes.join()}`,
);
await report(drained);
check(
  [...drained.answers.keys()].every((status) => status.startsWith('2')),
  `  no request failed: ${counted(drained.answers)}`,
);

// nginx sends a PUT or DELETE again when its instance died, and the second DELETE finds nothing.
const killed = startLoad(
  nginx.url,
  WRITERS,
  ({ status }, method) => status === 502 || (method === 'DELETE' && status === 404),
);
await inTurn('SIGKILL');
await killed.stop();
check(true, `${ROUNDS} times one of two instances killed with -9`);
await report(killed);
check(!killed.answers.has('broken'), `  nginx answered every request: ${counted(killed.answers)}`);

await nginx.stop();
await Promise.all(instances.map(({ stop }) => stop()));
await postgres.remove();
end();

/** Ends the instances in turn under load, and starts each again where it was. */
async function inTurn(signal: 'SIGTERM' | 'SIGKILL'): Promise<(number | null)[]> {
  const codes = [];
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(500);
    const [index, PORT] = round % 2 === 0 ? ([0, ports[0]] as const) : ([1, ports[1]] as const);
    const { server } = present(instances[index]);
    server.child.kill(signal);
    const start = performance.now();
    codes.push(await server.ended());
    process.stdout.write(`     ${signal}: gone after ${seconds(performance.now() - start)}\n`);
    await sleep(200);
    const again = await startInstance({ DATABASE_URL, PORT });
    instances[index] = again;
    await again.ready();
  }
  return codes;
}

async function report(load: ReturnType<typeof startLoad>): Promise<void> {
  const lost = await load.differences(nginx.url);
  check(
    lost.length === 0,
    `  ${load.acknowledged()} acknowledged writes, ${lost.length} lost or altered`,
  );
  check(load.violations.length === 0, '  no other answer than expected');
  for (const text of [...lost, ...load.violations].slice(0, 5))
    process.stdout.write(`     ${text}\n`);
}
