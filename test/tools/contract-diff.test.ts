// engines: sqlite
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Contracts } from '../../src/kit/cli/contract/contract-texts.ts';
import { diffContracts } from '../../src/kit/cli/review/diff.ts';
import { diffText } from '../../src/kit/cli/review/diff-text.ts';
import { inRest, inSdl } from '../support/contract-edits.ts';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const base: Contracts = {
  name: 'before',
  openapi: read('openapi.yaml'),
  sdl: read('schema.graphql'),
};

const table = [
  ...inRest.map((edit) => ['openapi', ...edit] as const),
  ...inSdl.map((edit) => ['sdl', ...edit] as const),
];

describe('npx accord diff', () => {
  it('is shown at least 25 changes, 15 of them breaking', () => {
    expect(table.length).toBeGreaterThanOrEqual(25);
    expect(table.filter(([, , level]) => level === 'breaking').length).toBeGreaterThanOrEqual(15);
  });

  it.each(table)(
    '%s: %s is %s and asks for a %s version',
    async (key, _, level, asks, from, to) => {
      const changed = { ...base, name: 'after', [key]: base[key].replace(from, to) };
      expect(changed[key]).not.toBe(base[key]);
      const { level: found, version, changes } = await diffContracts(base, changed);
      expect([found, version.asks], JSON.stringify(changes, null, 2)).toEqual([level, asks]);
    },
  );

  it('takes a new member for new, also where every object inherits one of its name', async () => {
    const openapi = (members: string) => `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths: { /a: { get: { operationId: a, responses: { '200': { description: B, content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } } } }
components: { schemas: { A: { type: object, properties: { b: { type: string }${members} } } } }
`;
    const before = { name: 'before', openapi: openapi(''), sdl: '' };
    const after = { name: 'after', openapi: openapi(', constructor: { type: string }'), sdl: '' };
    const { changes } = await diffContracts(before, after);
    expect(changes.map(({ rule, level }) => [rule, level])).toEqual([['property-added', 'safe']]);
  });

  it('finds nothing where nothing has changed', async () => {
    const diff = await diffContracts(base, base);
    expect([diff.changes, diff.version.asks, diff.version.isMet]).toEqual([[], 'none', true]);
  });

  it.each([
    ['an integer gets the format that its bounds imply', / {6}format: int32\n/, ''],
    ['a body that is not JSON is called text', /(application\/yaml:\n *schema: ){.*}/, '$1{}'],
    [
      'several types are written as oneOf',
      /items:\n *oneOf:\n *- { type: string, (.*) }\n *- { type: integer, format: int64, (.*) }/,
      'items: { type: [string, integer], $1, $2 }',
    ],
  ])('takes it for safe when %s', async (_, from, to) => {
    const before = { ...base, openapi: base.openapi.replace(from, to) };
    expect(before.openapi).not.toBe(base.openapi);
    const { level, changes } = await diffContracts(before, base);
    expect(level, JSON.stringify(changes, null, 2)).toBe('safe');
  });

  it.each([
    ['maxLength: 9', 'maxLength: 8', 'breaking', 'at most 8 characters'],
    ['maxLength: 9', 'maxLength: 10', 'safe', 'at most 10 characters'],
    ['maxLength: 9', 'maxLength: 9, minLength: 0', 'safe', 'at least 0 characters'],
    ['maxLength: 9', 'maxLength: 9, minLength: 1', 'breaking', 'at least 1 characters'],
    ['maxItems: 3', 'maxItems: 2', 'breaking', 'at most 2 items'],
    ['maxItems: 3', 'maxItems: 3, minItems: 1', 'breaking', 'at least 1 items'],
    ['minimum: 0', 'minimum: -1', 'safe', 'at least -1'],
    ['minimum: 0', 'minimum: 1', 'breaking', 'at least 1'],
    ['minimum: 0', 'maximum: 7, minimum: 0', 'breaking', 'at most 7'],
  ])('holds @bounds of %s against %s: %s', async (from, to, level, text) => {
    const bounds =
      'directive @bounds(minLength: Int, maxLength: Int, minimum: Float, maximum: Float, minItems: Int, maxItems: Int) on ARGUMENT_DEFINITION';
    const sdl = `${bounds} type Query { find(name: String @bounds(maxLength: 9), size: Int @bounds(minimum: 0), sort: [String] @bounds(maxItems: 3)): Int }`;
    const before = { name: 'before', openapi: '', sdl };
    const after = { ...before, sdl: sdl.replace(from, to) };
    const { changes } = await diffContracts(before, after);
    expect(changes).toMatchObject([{ level, isLooser: level === 'safe' }]);
    expect(changes[0]?.message).toContain(text);
  });

  it('tells whether the version says what breaks, and which one is due', async () => {
    const sdl = base.sdl.replace('  pages: Int!', '  pages: Int');
    const diffTo = (version: string) =>
      diffContracts(base, {
        ...base,
        sdl,
        openapi: base.openapi.replace(/version: [0-9.]+/, `version: ${version}`),
      });
    expect((await diffTo('9.0.0')).version).toMatchObject({ isMet: true, due: '2.0.0' });
    expect((await diffTo('0.99.0')).version).toMatchObject({ isMet: false, due: '2.0.0' });
  });

  it.each([
    ['1.0.0', '1.0.0-rc.1', false],
    ['1.0.0', '1.0.0+b', false],
    ['1.0.0-a', '1.0.0-b', false],
    ['1.0.0', '01.0.1', false],
    ['1.0', '1.1', false],
    ['1.0', '2.0', true],
    ['v1', 'v1b', false],
    ['v1', 'v2', true],
    ['2026-01-01', '2026-02-01', true],
  ])('from %s to %s says that something breaks: %s', async (from, to, isMet) => {
    const at = (version: string, sdl: string) => ({
      ...base,
      sdl,
      openapi: base.openapi.replace(/version: [0-9.]+/, `version: "${version}"`),
    });
    const broken = base.sdl.replace('  pages: Int!', '  pages: Int');
    const { version } = await diffContracts(at(from, base.sdl), at(to, broken));
    expect(version.isMet).toBe(isMet);
  });

  it('asks for a minor version of what breaks before 1.0.0', async () => {
    const at = (version: string, sdl = base.sdl) => ({
      ...base,
      sdl,
      openapi: base.openapi.replace(/version: [0-9.]+/, `version: ${version}`),
    });
    const broken = base.sdl.replace('  pages: Int!', '  pages: Int');
    const { level, version } = await diffContracts(at('0.2.20'), at('0.3.0', broken));
    expect([level, version]).toMatchObject(['breaking', { isMet: true, due: '0.3.0' }]);
  });

  it('says the same as text and JSON', async () => {
    const diff = await diffContracts(base, {
      ...base,
      sdl: base.sdl.replace('  pages: Int!', '  pages: Int'),
    });
    for (const format of ['text', 'json'] as const) {
      expect(diffText(diff, format)).toContain('Book.pages');
    }
  });
});
