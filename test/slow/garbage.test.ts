import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atOnce, type Spawned, spawnServer } from '../../tools/support/server-process.ts';

/**
 * What belongs to a request is garbage when it is answered. Where something that lives long refers to it, it
 * outlives one collection after another, and to copy it costs more than the request itself.
 */
describe('what outlives a garbage collection', () => {
  let server: Spawned;
  let url: string;
  beforeAll(async () => {
    server = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...atOnce }, ['--trace-gc-nvp']);
    url = await server.ready();
  });
  afterAll(async () => {
    server.child.kill();
    await server.ended();
  });

  async function post(path: string, json: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(json),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.text();
  }

  /** Which part of what was allocated survived each of the latest collections. */
  function survival(from: number): number[] {
    const found = server.output().slice(from);
    return [...found.matchAll(/ gc=s .* allocated=(\d+) .* new_space_survived=(\d+) /g)].map(
      ([, allocated, survived]) => Number(survived) / Number(allocated),
    );
  }

  it.each([
    ['creates', '/tasks', { title: 'a task' }],
    [
      'mutations',
      '/graphql',
      {
        query: 'mutation ($title: String!) { addTodo(title: $title) { id title done } }',
        variables: { title: 'a to-do' },
      },
    ],
  ])('of %s next to nothing does', async (_, path, json) => {
    const work = async (times: number) => {
      const client = async () => {
        for (let i = 0; i < times; i++) await post(path, json);
      };
      await Promise.all(Array.from({ length: 8 }, client));
    };
    await work(500);
    const from = server.output().length;
    await work(2000);
    const parts = survival(from).sort((a, b) => a - b);
    expect(parts.length).toBeGreaterThan(4);
    // It was from 0.008 to 0.2 where a function of each request's own was allocated with what lives long.
    expect(parts[Math.floor(parts.length / 2)]).toBeLessThan(0.004);
  });
});
