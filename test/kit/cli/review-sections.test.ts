// engines: sqlite
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/kit/cli/review/change.ts';
import { createReach } from '../../../src/kit/cli/review/reach.ts';
import { renamedMethods, sdkChanges } from '../../../src/kit/cli/review/sdk-diff.ts';
import { createSections } from '../../../src/kit/cli/review/sections.ts';
import type { Usage } from '../../../src/kit/cli/review/usage.ts';
import type { Reviewed } from '../../../src/kit/cli/review/verdict.ts';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';
import { harbour, ports } from '../../support/sdk-contracts.ts';

function change(
  level: Change['level'],
  kind: Change['subject']['kind'],
  name: string,
  more: Partial<Reviewed> = {},
): Reviewed {
  return {
    ...{ contract: 'OpenAPI', rule: 'x', level, part: '', place: '#', readers: [], at: '' },
    ...{ isWording: false, isGone: false, isLooser: false, accepted: undefined },
    ...{ subject: { kind, name }, message: '' },
    ...more,
  };
}

const documentOf = (paths: object) =>
  // A description that a reader of paths alone can take.
  ({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }) as unknown as Document;
const operation = (operationId: string) => ({ operationId, responses: {} });

function sectionsOf(
  changes: readonly Reviewed[],
  documents: { before?: Document; after?: Document } = {},
  usage: Usage = new Map(),
) {
  const { before, after } = documents;
  return createSections({
    ...{ changes, methods: [], shown: new Map(), usage },
    documents: { before, after },
    schemas: { before: undefined, after: undefined },
    reach: createReach(...[before, after].filter((each) => each !== undefined)),
  });
}

describe('the parts of a review', () => {
  it('are in the order of gravity, then the API, its operations and its types, and words last', () => {
    const words = { isWording: true };
    const changes = [
      change('safe', 'operation', 'words of an operation', words),
      change('safe', 'api', 'words of the API', words),
      ...(['safe', 'decision', 'breaking'] as const).flatMap((level) =>
        (['type', 'operation', 'api'] as const).map((kind) =>
          change(level, kind, `${level} ${kind}`),
        ),
      ),
      change('safe', 'type', 'breaking type', words),
    ];
    expect(sectionsOf(changes).map(({ subject }) => subject.name)).toEqual([
      ...['breaking api', 'breaking operation', 'breaking type'],
      ...['decision api', 'decision operation', 'decision type'],
      ...['safe api', 'safe operation', 'safe type'],
      ...['words of the API', 'words of an operation'],
    ]);
  });

  it('are one for what both contracts say of REST, and another for GraphQL', () => {
    const of = (contract: Change['contract']) => change('safe', 'operation', 'It', { contract });
    const found = sectionsOf([of('SDK'), of('OpenAPI'), of('GraphQL')]);
    expect(found.map(({ contract, changes }) => [contract, changes.length])).toEqual([
      ['OpenAPI', 2],
      ['GraphQL', 1],
    ]);
  });

  it('tell how often they are used, also of what is gone', () => {
    const before = documentOf({
      '/a': { get: operation('getA'), delete: operation('deleteA') },
      '/b': { get: operation('getB') },
    });
    const after = documentOf({
      '/a': { get: operation('readA') },
      '/c': { get: operation('getC') },
    });
    const names = ['GET /a', 'DELETE /a', 'GET /b', 'GET /c', 'GET /none', 'Planet'];
    const known = ['getA', 'readA', 'deleteA', 'getB', 'getC', 'Planet', 'GET /c'];
    const usage = new Map(known.map((name, i) => [name, { count: i + 1, last: '' }]));
    const usesOf = (documents: { before?: Document; after?: Document }) =>
      sectionsOf(
        names.map((name) => change('safe', / /.test(name) ? 'operation' : 'type', name)),
        documents,
        usage,
      ).map(({ subject, use }) => [subject.name, use?.count]);
    const own = [
      ['GET /c', 7],
      ['GET /none', undefined],
      ['Planet', 6],
    ];
    expect(usesOf({ before, after })).toEqual([
      ['GET /a', 2],
      ['DELETE /a', 3],
      ['GET /b', 4],
      ...own,
    ]);
    expect(usesOf({ before })).toEqual([['GET /a', 1], ['DELETE /a', 3], ['GET /b', 4], ...own]);
    expect(usesOf({ after })).toEqual([
      ['GET /a', 2],
      ['DELETE /a', undefined],
      ['GET /b', undefined],
      ...own,
    ]);
  });
});

describe('the methods of the SDKs', () => {
  const nothing = { name: 'a', openapi: '', sdl: '' };
  const contracts = (openapi: string) => ({ ...nothing, openapi });

  it('are told by their signatures in both languages', async () => {
    const text = [harbour, ports].flatMap(({ openapi }) =>
      sdkChanges(nothing, contracts(openapi)).map(
        ({ operation, name, before, after }) =>
          `${operation} ${name} ${before}\n  ${after?.typescript}\n  ${after?.python}\n`,
      ),
    );
    await expect(text.join('')).toMatchFileSnapshot('expected/sdk-signatures.txt');
    const gone = sdkChanges(contracts(ports.openapi), nothing);
    expect(gone.map(({ before, after }) => [before !== undefined, after])).toEqual(
      gone.map(() => [true, undefined]),
    );
    expect(sdkChanges(contracts(ports.openapi), contracts(ports.openapi))).toEqual([]);
  });

  it('are renamed where their operation is what it was', () => {
    const renamed = (from: string | RegExp, to: string) => {
      const after = ports.openapi.replaceAll(from, to);
      expect(after).not.toBe(ports.openapi);
      return renamedMethods(sdkChanges(contracts(ports.openapi), contracts(after))).map(
        ({ message }) => message,
      );
    };
    expect(renamed('operationId: getPort', 'operationId: readPort')).toEqual([
      'The SDKs call `GET /ports/{id}` as `ports.read` instead of `ports.get`: code that uses it no longer compiles.',
    ]);
    expect(renamed('name: limit', 'name: most')).toEqual([]);
    expect(renamed(/\/ports\/\{id\}:/g, '/piers/{id}:')).toEqual([]);
  });
});
