// engines: sqlite
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { Contracts } from '../../../src/kit/cli/contract/contract-texts.ts';
import type { Change } from '../../../src/kit/cli/review/change.ts';
import { serveMock, serveProject } from '../../../src/kit/cli/review/exchanges.ts';
import { shownExchanges } from '../../../src/kit/cli/review/shown-exchanges.ts';
import { soon } from '../../support/fake-time.ts';

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'shown-'));
// The project there has no code of its own.
beforeEach(() => process.chdir(folder));
afterEach(() => process.chdir(home));
afterAll(() => rmSync(folder, { recursive: true }));

const numbers = Array.from({ length: 14 }, (_, i) => i);

const parameters = ['a', 'b', 'c'].map(
  (name) => `{ name: ${name}, in: query, schema: { type: integer }, example: 1 }`,
);

/** A version that answers with itself. */
function version(count: number, paths: string): Contracts {
  const answer = `responses: { '200': { description: It., content: { application/json: { schema: { type: integer }, example: ${count} } } } }`;
  const text = numbers.map(
    (i) => `  /p${i}: { get: { operationId: p${i}, parameters: [${parameters[0]}], ${answer} } }\n`,
  );
  const fields = numbers.map((i) => `f${i}: ${count === 1 ? 'Int!' : 'String!'}`);
  return {
    name: String(count),
    openapi: `openapi: 3.1.0\ninfo: { title: A, version: ${count}.0.0 }\npaths:\n${text.join('')}${paths.replaceAll('ANSWER', answer)}`,
    sdl: `type Query { ${fields.join(' ')} }\n`,
  };
}

function change(kind: 'operation' | 'type', name: string, others: Partial<Change> = {}): Change {
  return {
    ...{ contract: 'OpenAPI', rule: 'answer-changed', level: 'safe', isWording: false },
    ...{ subject: { kind, name }, part: '', message: '', place: '', isGone: false },
    ...{ isLooser: false, readers: [], ...others },
  };
}

const star = '{ type: object, properties: { id: { type: integer }, name: { type: string } } }';
const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
/** Stars that can be made and listed. */
const collection = `openapi: 3.1.0
info: { title: Stars, version: 1.0.0 }
paths:
  /stars:
    get: { operationId: listStars, responses: { '200': { description: They., ${json(`{ type: array, items: ${star} }`)} } } }
    post: { operationId: createStar, requestBody: { required: true, ${json(star)} }, responses: { '201': { description: It., ${json(star)} } } }
`;

const before = version(1, '  /old: { get: { operationId: moved, ANSWER } }\n');
const after = version(
  2,
  `  /new: { get: { operationId: moved, parameters: [${parameters.join()}], ANSWER } }\n`,
);
const schemas = { before: buildSchema(before.sdl), after: buildSchema(after.sdl) };
const padded = (length: number): Contracts => ({
  ...before,
  openapi: `${before.openapi}#`.padEnd(length, 'x'),
});

it('a review shows what the first twelve operations answered and answer', async () => {
  const examples = [...numbers.map((i) => `F${i}`)];
  const operations = [...numbers.map((i) => `query F${i} { f${i} }`)];
  writeFileSync('operations.graphql', operations.join('\n\n'));
  const moved = change('operation', 'GET /new', { rule: 'operation-moved', before: 'GET /old' });
  const added = ['a', 'b', 'c'].map((name) =>
    change('operation', 'GET /new', { rule: 'parameter-added', part: `query ${name}` }),
  );
  const changes = [
    ...[change('type', 'Planet'), change('operation', 'GET /p13', { isWording: true })],
    ...[...added, moved, change('operation', 'GET /nowhere')],
    ...[change('operation', 'Query.f0'), change('operation', 'GET /neither')],
    ...numbers.map((i) => change('operation', `GET /p${i}`)),
  ];
  const listening = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const count = listening();
  const shown = await shownExchanges(padded(5_000_000), after, changes, schemas, examples);
  expect(await soon(() => listening() === count)).toBe(true);
  // Of these twelve two are in neither version.
  const rest = numbers.slice(0, 8).map((i) => `GET /p${i}`);
  const named = numbers.slice(0, 12).map((i) => `F${i}`);
  expect([...shown.keys()]).toEqual(['GET /new', 'Query.f0', ...rest, ...named]);
  const of = (name: string) => {
    const { before: was, after: is } = shown.get(name) ?? {};
    return [
      was?.request,
      was?.answer.split('\n').at(-1),
      is?.request,
      is?.answer.split('\n').at(-1),
    ];
  };
  expect(of('GET /p0')).toEqual(['GET /p0', '1', 'GET /p0', '2']);
  expect(of('GET /new')).toEqual(['GET /old', '1', 'GET /new?a=1&b=1', '2']);
  expect(shown.get('F0')?.before?.request).toContain('query F0');
  expect(shown.get('Query.f0')?.after).toMatchObject({ isMock: true });
});

it('a review shows no answers of a description of more than 5 MB', async () => {
  const changes = [change('operation', 'GET /p0')];
  const large = padded(5_000_001);
  expect(await shownExchanges(large, after, changes, schemas, [])).toEqual(new Map());
  expect(await shownExchanges(after, large, changes, schemas, [])).toEqual(new Map());
});

it('a review shows one operation and one example', async () => {
  writeFileSync('operations.graphql', 'query F0 { f0 }\n');
  const changes = [change('operation', 'GET /p0')];
  const shown = await shownExchanges(before, after, changes, schemas, ['F0']);
  expect([...shown.keys()]).toEqual(['GET /p0', 'F0']);
});

it('a review shows what one version answers where the other cannot be served or asked', async () => {
  const broken = { ...before, openapi: 'openapi: 3.1.0\npaths: 7\n' };
  const changes = [change('operation', 'GET /p0'), change('operation', 'Query.f0')];
  // No client of Node sends TRACE.
  const traced = { ...after, openapi: after.openapi.replace('/p0: { get:', '/p0: { trace:') };
  const trace = [change('operation', 'TRACE /p0'), change('operation', 'GET /p1')];
  const [there, back, shown] = await Promise.all([
    shownExchanges(broken, after, changes, schemas, []),
    shownExchanges(after, broken, changes, schemas, []),
    shownExchanges(before, traced, trace, schemas, []),
  ]);
  for (const name of ['GET /p0', 'Query.f0']) {
    expect(there.get(name)).toEqual({ before: undefined, after: expect.anything() });
    expect(back.get(name)).toEqual({ before: expect.anything(), after: undefined });
  }
  expect([...shown.keys()]).toEqual(['GET /p1']);
});

it('a review asks the code of the project, a new server each time, and leaves nothing behind', async () => {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const earlier = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  try {
    writeFileSync('package.json', '{ "accord": { "api": "api.mjs" } }\n');
    writeFileSync('own.yaml', collection);
    writeFileSync(
      'api.mjs',
      "export const api = { openapi: new URL('./own.yaml', import.meta.url), mocks: true, lenient: true };\n",
    );
    const listening = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const count = listening();
    const served = await serveProject({ name: 'a', openapi: collection, sdl: '' });
    const ask = (method: string, path: string, body = '') =>
      served.ask({ method, path, headers: { 'Content-Type': 'application/json' }, body });
    const [first, created, second] = [
      await ask('GET', '/stars'),
      await ask('POST', '/stars', '{"id":77,"name":"Vega"}'),
      await ask('GET', '/stars'),
    ];
    expect([first.isMock, created.answer.split('\n')[0]]).toEqual([true, '201 Created']);
    expect(second).toEqual(first);
    await served.stop();
    expect(await soon(() => listening() <= count)).toBe(true);
    const mock = await serveMock({ name: 'a', openapi: collection, sdl: '' });
    expect(readdirSync(temporary)).toEqual([]);
    expect((await mock.ask({ method: 'GET', path: '/stars', headers: {}, body: '' })).isMock).toBe(
      true,
    );
    await mock.stop();
  } finally {
    rmSync('package.json');
    if (earlier === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = earlier;
  }
});
