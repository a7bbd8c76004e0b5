// long: measures memory
import { describe, expect, it } from 'vitest';
import { useProcess } from '../../support/process.ts';

/** One document with 110 operations over shared fragments, as large as a document may be. */
function document(number: number): string {
  const aliases = Array.from({ length: 6 }, (_, i) => `a${i}: users { ...U }`).join(' ');
  const operations = Array.from({ length: 110 }, (_, i) => `query D${number}Q${i} { ...R }`);
  return `${operations.join(' ')}
    fragment R on Query { ${aliases} }
    fragment U on User { id name email posts { id title body comments { body } } }`;
}

describe('with a heap of 256 MB', () => {
  const server = useProcess({ SEED_DEMO: 'true' }, ['--max-old-space-size=256']);

  async function ask(body: object) {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return Object(await response.json());
  }

  async function askAll(bodies: readonly object[]) {
    for (let i = 0; i < bodies.length; i += 55) {
      await Promise.all(bodies.slice(i, i + 55).map(ask));
    }
  }

  const operationsOf = (number: number) => {
    const query = document(number);
    return Array.from({ length: 110 }, (_, i) => ({ query, operationName: `D${number}Q${i}` }));
  };

  it('3,740 distinct operations in documents of 110 leave memory within 60 MB of where it was', async () => {
    const [first = {}] = operationsOf(0);
    expect(Object.keys((await ask(first)).data)).toHaveLength(6);
    for (let i = 0; i < 30; i++) await askAll([first]);
    const before = await server.memory();
    for (let number = 1; number <= 34; number++) await askAll(operationsOf(number));
    // As often as it takes for each of them to be compiled.
    for (let i = 0; i < 11; i++) await askAll(operationsOf(35));
    expect((await server.memory()) - before).toBeLessThan(60_000_000);
    expect((await fetch(`${server.url}/books`)).status).toBe(200);
  }, 120_000);

  it('1,500 distinct documents with faults leave memory within 20 MB of where it was', async () => {
    const wrong = (i: number) => ({ query: `query Q${i} { ${'a b c d e f '.repeat(3)} }` });
    await askAll([wrong(0)]);
    const before = await server.memory();
    await askAll(Array.from({ length: 1500 }, (_, i) => wrong(i)));
    expect((await server.memory()) - before).toBeLessThan(20_000_000);
  }, 120_000);
});
