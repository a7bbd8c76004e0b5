import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../src/kit/errors.ts';
import { counted, type Fault, seconds } from '../support/check-report.ts';
import { startPostgres } from '../support/embedded-postgres.ts';
import { freePort } from '../support/free-port.ts';
import { startInstance } from '../support/server-instance.ts';
import { startLoad } from '../support/write-load.ts';
import { startNginx } from './nginx.ts';

const WRITERS = 16;

/** Drains and kills instances one after the other, each started again on its port. */
export const balancer: Fault = {
  promise: 'One instance of several may be drained, or die',
  how: 'two instances behind nginx on one PostgreSQL, six times drained and six times kill -9, 16 writers',

  async run({ check, note }, isShort) {
    const rounds = isShort ? 2 : 6;
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
      `${rounds} times one of two instances drained with SIGTERM, each ended with ${codes.join()}`,
    );
    const whileDrained = await report(drained);
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
    check(true, `${rounds} times one of two instances killed with -9`);
    const whileKilled = await report(killed);
    check(
      !killed.answers.has('broken'),
      `  nginx answered every request: ${counted(killed.answers)}`,
    );

    await nginx.stop();
    await Promise.all(instances.map(({ stop }) => stop()));
    await postgres.remove();
    return `${rounds} drains: ${whileDrained}, answers ${counted(drained.answers)}; ${rounds} kills: ${whileKilled}, answers ${counted(killed.answers)}`;

    /** Ends the instances in turn under load, and starts each again where it was. */
    async function inTurn(signal: 'SIGTERM' | 'SIGKILL'): Promise<(number | null)[]> {
      const codes = [];
      for (let round = 0; round < rounds; round++) {
        await sleep(500);
        const [index, PORT] = round % 2 === 0 ? ([0, ports[0]] as const) : ([1, ports[1]] as const);
        const { server } = present(instances[index]);
        server.child.kill(signal);
        const start = performance.now();
        codes.push(await server.ended());
        note(`${signal}: gone after ${seconds(performance.now() - start)}`);
        await sleep(200);
        const again = await startInstance({ DATABASE_URL, PORT });
        instances[index] = again;
        await again.ready();
      }
      return codes;
    }

    async function report(load: ReturnType<typeof startLoad>): Promise<string> {
      const lost = await load.differences(nginx.url);
      check(
        lost.length === 0,
        `  ${load.acknowledged()} acknowledged writes, ${lost.length} lost or altered`,
      );
      check(load.violations.length === 0, '  no other answer than expected');
      for (const text of [...lost, ...load.violations].slice(0, 5)) note(text);
      return `${load.acknowledged()} acknowledged writes, ${lost.length} lost or altered`;
    }
  },
};
