import { api } from '../../src/api/api.ts';
import type { Fault } from '../support/check-report.ts';
import { askProbe } from '../support/probe.ts';
import { sendRaw, statusesIn } from '../support/raw-http.ts';
import { type Instance, withInstance } from '../support/server-instance.ts';
import { hostileRequests } from './hostile-requests.ts';

const LONGEST_BLOCK = 100;
const TRIES = 3;
// A stack, a path of this machine, the words of a database or of a parser.
const INTERNALS =
  /node_modules|file:\/\/|\/src\/|\.ts:\d|\bat .+\(|SQLITE|sqlite_|\bHPE_|SyntaxError|TypeError/;
const collections = Object.entries(api.tables).flatMap(([name, { kind }]) =>
  kind === 'collection' ? [name] : [],
);
const probe = new URL('../support/event-loop-probe.ts', import.meta.url).href;

export const hostile: Fault = {
  promise:
    'No single hostile request fails the server, holds it up, changes what is stored or learns of its insides',
  how: `${hostileRequests.length} requests, from smuggled bodies to GraphQL bombs, one at a time, with a look at every answer, at all records and at the event loop`,

  run: ({ check, timing, note }) =>
    withInstance(
      async (instance) => {
        const statuses = new Map<string, number>();
        const faults: string[] = [];
        let longest = 0;
        let stored = await everything(instance);
        for (const { name, bytes } of hostileRequests) {
          let block = Number.POSITIVE_INFINITY;
          let text = '';
          // Others' work on the same machine holds it up too, but not three times in a row.
          for (let i = 0; i < TRIES && block > LONGEST_BLOCK / 2; i++) {
            await askProbe(instance.server, 'delay');
            text = await sendRaw(instance.url, bytes, { halfCloses: true });
            block = Math.min(block, await askProbe(instance.server, 'delay'));
          }
          longest = Math.max(longest, block);
          const answers = statusesIn(text);
          const last = String(answers.at(-1) ?? 'none');
          statuses.set(last, (statuses.get(last) ?? 0) + 1);
          if (last === 'none') faults.push(`${name}: no answer`);
          if (answers.some((status) => status >= 500)) faults.push(`${name}: ${answers}`);
          if (block > LONGEST_BLOCK) note(`${name}: held the server up for ${block} ms`);
          if (INTERNALS.test(text))
            faults.push(`${name}: ${INTERNALS.exec(text)?.[0]} in the answer`);
          const now = await everything(instance);
          if (now !== stored) faults.push(`${name}: changed what is stored`);
          stored = now;
          if (!instance.isAlive()) throw new Error(`${name} ended the server`);
        }
        for (const fault of faults) note(fault);
        const said = [...statuses].toSorted().map(([status, count]) => `${count} × ${status}`);
        note(`answers: ${said.join(', ')}`);
        check(hostileRequests.length >= 60, `${hostileRequests.length} hostile requests`);
        check(faults.length === 0, `${faults.length} of them did any harm`);
        timing(longest <= LONGEST_BLOCK, `the event loop stood still for ${longest} ms at most`);
        return `${hostileRequests.length} requests (${said.join(', ')}): ${faults.length} did harm, the event loop stood still for ${longest.toFixed(0)} ms at most`;
      },
      { SEED_DEMO: 'true' },
      ['--import', probe],
    ),
};

/** All that is stored, as both protocols show it. */
async function everything({ url }: Instance): Promise<string> {
  const query =
    '{ users { id name email posts { id title body comments { id body } } } todos { id title done } }';
  const texts = await Promise.all(
    [
      ...collections.map((name) => fetch(`${url}/${name}`)),
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
    ].map(async (response) => (await response).text()),
  );
  return texts.join('\n');
}
