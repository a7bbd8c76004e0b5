import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted, type Fault, type Report } from '../support/check-report.ts';
import { startInstance } from '../support/server-instance.ts';

const WRITERS = 50;
const REPEATERS = 32;

export const together: Fault = {
  promise:
    'Of many who change one version of a record one does, and what is sent again is done once',
  how: `${WRITERS} concurrent \`PUT\`s with one \`If-Match\`, 20 times; one \`POST\` with one \`Idempotency-Key\` from ${REPEATERS} clients at once, and again after a restart`,

  async run(report, isShort) {
    const folder = mkdtempSync(join(tmpdir(), 'accord-together-'));
    const env = { DATABASE_URL: `sqlite:${join(folder, 'together.db')}` };
    const first = await startInstance(env);
    await first.ready();
    const replaced = await replaceTogether(report, first.url, isShort ? 5 : 20);
    const before = await repeat(first.url);
    await first.stop();
    const second = await startInstance(env);
    await second.ready();
    const after = await repeat(second.url);
    const tasks = await (await fetch(`${second.url}/tasks`)).json();
    await second.stop();
    rmSync(folder, { recursive: true });

    const answers = new Set([...before, ...after]);
    const records = Object(tasks).length;
    report.check(
      answers.size === 1,
      `${before.length} and ${after.length} answers, ${answers.size} different`,
    );
    report.check(records === 1, `${records} record`);
    for (const answer of [...answers].slice(0, 3)) report.note(answer);
    return `${replaced}; ${before.length} + ${after.length} repeats: ${answers.size} answer, ${records} record`;
  },
};

/** Many replace one version of a book at the same moment, again and again. */
async function replaceTogether({ check }: Report, url: string, rounds: number): Promise<string> {
  const answers = new Map<string, number>();
  let right = 0;
  for (let round = 0; round < rounds; round++) {
    const created = await send(url, 'POST', '/books', { title: 'Before', pages: 1 });
    const path = String(created.headers.get('location'));
    const tag = String(created.headers.get('etag'));
    const replies = await Promise.all(
      Array.from({ length: WRITERS }, (_, i) =>
        send(url, 'PUT', path, { title: `Writer ${i}`, pages: 1 + i }, { 'if-match': tag }),
      ),
    );
    const texts = await Promise.all(replies.map((reply) => reply.text()));
    for (const { status } of replies) {
      answers.set(String(status), (answers.get(String(status)) ?? 0) + 1);
    }
    const winners = texts.filter((_, i) => replies[i]?.status === 200);
    const losers = replies.filter(({ status }) => status === 412);
    const stored = await (await fetch(url + path)).text();
    const isRight = winners.length === 1 && losers.length === WRITERS - 1;
    if (isRight && stored === winners[0]) right++;
  }
  check(right === rounds, `${right} of ${rounds} times one 200, 49 times 412: ${counted(answers)}`);
  return `${rounds} times: ${counted(answers)}; what the one wrote is stored`;
}

/** The same POST with the same key from many at once: what each is told. */
function repeat(url: string): Promise<string[]> {
  return Promise.all(
    Array.from({ length: REPEATERS }, async () => {
      const key = { 'idempotency-key': 'sent-again' };
      const reply = await send(url, 'POST', '/tasks', { title: 'Once' }, key);
      return `${reply.status} ${reply.headers.get('location')} ${await reply.text()}`;
    }),
  );
}

function send(url: string, method: string, path: string, body: object, headers: object = {}) {
  return fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
