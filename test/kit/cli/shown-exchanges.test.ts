// engines: sqlite
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { Contracts } from '../../../src/kit/cli/contract/contract-texts.ts';
import type { Change } from '../../../src/kit/cli/review/change.ts';
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
