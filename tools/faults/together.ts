import { withInstance } from './instance.ts';
import { counted, type Fault } from './report.ts';

const WRITERS = 50;

export const together: Fault = {
  promise: 'Of many who change one version of a record, one does',
  how: `${WRITERS} concurrent \`PUT\`s with one \`If-Match\`, 20 times`,

  run: ({ check }, isShort) =>
    withInstance(async ({ url }) => {
      const rounds = isShort ? 5 : 20;
      const answers = new Map<string, number>();
      let right = 0;
      for (let round = 0; round < rounds; round++) {
        const created = await send('POST', '/books', { title: 'Before', pages: 1 });
        const path = String(created.headers.get('location'));
        const tag = String(created.headers.get('etag'));
        const replies = await Promise.all(
          Array.from({ length: WRITERS }, (_, i) =>
            send('PUT', path, { title: `Writer ${i}`, pages: 1 + i }, { 'if-match': tag }),
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
      check(
        right === rounds,
        `${right} of ${rounds} times one 200, 49 times 412: ${counted(answers)}`,
      );
      return `${rounds} times: ${counted(answers)}; what the one wrote is stored`;

      function send(method: string, path: string, body: object, headers: object = {}) {
        return fetch(url + path, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
      }
    }),
};
