import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractFiles } from '../../src/kit/cli/project.ts';
import { graphqlOf } from '../../src/kit/cli/sdk/graphql-operations.ts';
import { pythonFiles } from '../../src/kit/cli/sdk/python/python-files.ts';
import { readSources, sourcesOf } from '../../src/kit/cli/sdk/sdk-sources.ts';
import { secondsOf } from '../../src/kit/cli/sdk/typescript/runtime/errors.ts';
import { nextQuery } from '../../src/kit/cli/sdk/typescript/runtime/pages.ts';
import { delayBefore, type Outcome } from '../../src/kit/cli/sdk/typescript/runtime/retry.ts';
import { Transport } from '../../src/kit/cli/sdk/typescript/runtime/transport.ts';
import { operationsOf } from '../../src/kit/contract/operation.ts';
import { graphqlPath, modelOf } from '../../src/kit/sdk/model.ts';
import { camelCase, methodName, pascalCase, snakeCase } from '../../src/kit/sdk/names.ts';

const root = new URL('../../', import.meta.url).pathname;
const sources = await readSources(contractFiles({}, root));
const model = modelOf(sources);

describe('what the SDKs are made of', () => {
  it('has a method for every operation but the GraphQL endpoint, which has functions', () => {
    const methods = model.groups.flatMap(({ calls }) => calls.map((call) => call.operationId));
    const operations = operationsOf(sources.document).filter(({ path }) => path !== graphqlPath);
    expect(methods.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  it('sends a key with every POST that takes one, and writes back what it read', () => {
    const books = model.groups.find(({ name }) => name === 'books');
    expect(books?.calls.filter(({ takesKey }) => takesKey).map(({ name }) => name)).toEqual([
      'create',
    ]);
    expect(books?.calls.find(({ name }) => name === 'get')?.writtenBackBy).toBe('replaceBook');
    expect(books?.calls.filter(({ pageOf }) => pageOf).map(({ name }) => name)).toEqual(['list']);
  });

  it('holds the digest and the version of the contracts', () => {
    const version = pythonFiles(model, sources)['_version.py'];
    expect(version).toContain(sources.digest);
    expect(version).toContain(sources.document.info.version);
  });

  it('has operations without a tag by their paths, and other names for parameters that are options', () => {
    const changed = sources.openapi
      .replaceAll('      tags: [books]\n', '')
      .replace('name: limit', 'name: timeout');
    const { groups } = modelOf(
      sourcesOf({ ...sources, name: 'changed', openapi: changed }, sources.operations),
    );
    const books = groups.find(({ name }) => name === 'books');
    expect(books?.calls.map(({ name }) => name)).toContain('create');
    const list = books?.calls.find(({ operationId }) => operationId === 'listBooks');
    expect(list?.options.map(({ key }) => key).slice(-2)).toEqual(['timeoutQuery', 'after']);
  });

  it('refuses an operation that is not in the schema', () => {
    const wrong = sourcesOf({ ...sources, name: 'wrong' }, 'query Shelf { shelf { id } }');
    expect(() => graphqlOf(wrong)).toThrow('operations.graphql:1:15: Cannot query field "shelf"');
  });
});

describe('names', () => {
  it.each([
    ['createBook', 'books', 'create'],
    ['listBooks', 'books', 'list'],
    ['getGreeting', 'greetings', 'get'],
    ['getContractYaml', 'contract', 'getYaml'],
    ['getHealth', 'operations', 'getHealth'],
    ['listEntries', 'entries', 'list'],
    ['createEntry', 'entries', 'create'],
  ])('%s among the %s is %s', (operationId, tag, name) => {
    expect(methodName(operationId, tag)).toBe(name);
  });

  it('are as each language has them', () => {
    expect(['If-None-Match', 'ETag', 'X-Request-Id'].map(camelCase)).toEqual([
      'ifNoneMatch',
      'etag',
      'xRequestId',
    ]);
    expect(snakeCase('operationName')).toBe('operation_name');
    expect(pascalCase('Not Found')).toBe('NotFound');
  });
});

describe('whether a request is sent again', () => {
  const lost: Outcome = { kind: 'lost' };
  const answered = (status: number, retryAfter: string | null = null): Outcome => ({
    kind: 'answered',
    status,
    retryAfter,
  });
  const first = { attempt: 1, mayHaveHappened: false };
  const later = { attempt: 2, mayHaveHappened: true };

  it.each([
    ['any', lost, first, true],
    ['keyed', lost, first, true],
    ['versioned', lost, first, false],
    ['once', lost, first, false],
    ['any', answered(503), first, true],
    ['keyed', answered(429), first, true],
    ['versioned', answered(503), first, true],
    ['versioned', answered(504), first, false],
    ['any', answered(504), first, true],
    ['once', answered(503), first, false],
    ['once', answered(429), first, false],
    ['any', answered(500), first, false],
    ['any', answered(404), first, false],
    ['keyed', answered(409), first, false],
    ['keyed', answered(409), later, true],
    ['any', answered(409), later, false],
    ['any', answered(503, '61'), first, false],
  ] as const)('%s, %j, %j: %s', (repeatable, outcome, progress, isSent) => {
    expect(delayBefore(repeatable, outcome, progress, 60_000) !== undefined).toBe(isSent);
  });

  it('waits as long as Retry-After says, a number of seconds or a date', () => {
    expect(delayBefore('any', answered(503, '7'), first, 60_000)).toBe(7000);
    const now = Date.parse('2026-11-15T12:00:00Z');
    expect(secondsOf('Sun, 15 Nov 2026 12:00:09 GMT', now)).toBe(9);
    expect(secondsOf('Sun, 15 Nov 2026 11:00:00 GMT', now)).toBe(0);
    expect(secondsOf('soon')).toBeUndefined();
    expect(secondsOf(null)).toBeUndefined();
  });
});

it('a client sends back the latest position that it was told', async () => {
  const told = [null, '0000000000000002', '0000000000000001', null];
  const sent: (string | null)[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get('accord-position'));
    const position = told.shift();
    return new Response('{}', position ? { headers: { 'accord-position': position } } : {});
  };
  const identity = { userAgent: 'x', digest: 'x', refusal: () => expect.fail() };
  const transport = new Transport({ baseUrl: 'http://x', fetch }, identity);
  const request = {
    ...{ operation: 'x', url: 'http://x', method: 'POST', headers: {}, body: undefined },
    ...{ security: [], redirects: false, repeatable: 'any' as const },
  };
  while (told.length > 0) await transport.send(request, {});
  expect(sent).toEqual([null, null, '0000000000000002', '0000000000000002']);
});

describe('the next page', () => {
  it.each([
    ['</books?limit=2&after=4>; rel="next"', { limit: '2', after: '4' }],
    ['</x?after=1>; rel="prev", </x?after=9>; rel=next', { after: '9' }],
    ['<https://elsewhere.example/books?after=3>; rel="next"', { after: '3' }],
    ['</books?after=4>; rel="last"', undefined],
    [undefined, undefined],
  ])('%s', (link, query) => {
    expect(nextQuery(link)).toEqual(query);
  });
});

it('the Python package needs httpx alone, and the TypeScript package nothing', () => {
  const read = (file: string) =>
    readFileSync(new URL(`../../src/kit/cli/sdk/${file}`, import.meta.url), 'utf8');
  expect(read('python/python-package.ts').match(/^dependencies = (.*)$/m)?.[1]).toBe(
    '["httpx>=0.27,<1"]',
  );
  expect(read('typescript/typescript-package.ts')).not.toMatch(/dependencies:/i);
});
