import { startFaultyProxy } from './faulty-proxy.ts';
import type { Outcome, Scenario } from './scenarios.ts';
import type { Project } from './sdk-project.ts';
import { startDemo } from './tested-server.ts';

/** Lets a program meet a scenario, and says what was not as it must be. */
export async function play(
  project: Project,
  { action, faults, requests, outcome, books, todos, holds }: Scenario,
  program: string,
  mode: readonly string[],
): Promise<string[]> {
  const server = await startDemo();
  const proxy = await startFaultyProxy(server.url, faults);
  const { output, log } = await project.run(program, [proxy.url, action, ...mode]);
  const stored = {
    books: await count(server.url, 'books'),
    todos: await count(server.url, 'todos'),
  };
  await proxy.stop();
  await server.stop();
  const { seen } = proxy;
  return [
    isSame(output, { warnings: 0, ...outcome }) ? '' : `it came to ${output}${log}`,
    seen.length === requests ? '' : `there were ${seen.length} requests`,
    books === undefined || books === stored.books ? '' : `there are ${stored.books} books`,
    todos === undefined || todos === stored.todos ? '' : `there are ${stored.todos} todos`,
    holds?.(seen) === false ? `it sent ${JSON.stringify(seen)}` : '',
  ].filter((fault) => fault !== '');
}

function isSame(output: string, outcome: Outcome): boolean {
  try {
    const entries = (value: object) => JSON.stringify(Object.entries(value).toSorted());
    return entries(Object(JSON.parse(output))) === entries(outcome);
  } catch {
    return false;
  }
}

async function count(url: string, kind: 'books' | 'todos'): Promise<number> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ ${kind} { id } }` }),
  });
  return Object(await answer.json()).data[kind].length;
}
