// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { object, ref, text, whole } from '../../support/schemas.ts';

const kinds = Array.from({ length: 30 }, (_, i) => `kind${i}`);
const node = (kind: string, members: object) =>
  object({ ...members, type: { const: kind } }, { required: ['type'] });
const nodes = (content: string) => ({
  ...{ attrs: { type: 'object' }, content: { type: 'array', items: ref(content) } },
});
const plain = (name: string) => ({ type: 'array', uniqueItems: true, items: ref(name) });

const schemas = {
  Id: { ...text, format: 'uuid' },
  Colour: { enum: ['red', 'green', 'blue'] },
  Ids: plain('Id'),
  Colours: plain('Colour'),
  Records: { type: 'array', uniqueItems: true, items: { type: 'object' } },
  Json: {
    oneOf: [
      { type: 'object', additionalProperties: ref('Json') },
      { type: 'array', items: ref('Json') },
      { ...text, maxLength: 10_000 },
      { type: 'number', minimum: -1_000_000 },
      ...[{ type: 'boolean' }, { type: 'null' }],
    ],
  },
  ...Object.fromEntries(kinds.map((kind) => [kind, node(kind, nodes('Document'))])),
  Document: { oneOf: kinds.map(ref), discriminator: { propertyName: 'type' } },
  // What tells the kind is the last member, as where names are sorted.
  Block: {
    oneOf: [
      text,
      ...kinds.slice(0, 10).map((kind) => ({
        ...node(kind, nodes('Block')),
        additionalProperties: false,
      })),
    ],
  },
  Condition: object(
    { x: whole, y: whole, if: ref('Condition'), not: ref('Condition') },
    { required: ['x'] },
  ),
  Event: {
    oneOf: kinds.map((kind) => ({
      ...node(kind, {}),
      required: ['type', ...kinds.slice(0, 10)],
    })),
  },
  Events: { type: 'array', items: ref('Event') },
  Base: object({ children: { type: 'array', items: ref('Base') }, tags: { items: text } }),
  Derived: {
    allOf: [ref('Base')],
    ...object({ children: { items: ref('Derived') } }),
  },
  Named: {
    allOf: [object({ l: ref('Named') }), object({ l: ref('Named') })],
    ...object({ l: ref('Named') }),
    patternProperties: { '^x-': {}, z$: {} },
  },
  Tree: object({
    children: { type: 'array', uniqueItems: true, items: ref('Tree') },
  }),
};

const bodies = ['Ids', 'Colours', 'Records', 'Json', 'Document', 'Block', 'Condition', 'Events'];
const names = [...bodies, 'Derived', 'Named', 'Tree'];
const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: Object.fromEntries(
    names.map((name) => [
      `/${name}`,
      {
        post: {
          operationId: name,
          requestBody: { required: true, content: { 'application/json': { schema: ref(name) } } },
          responses: { 204: { description: 'ok' } },
        },
      },
    ]),
  ),
  components: { schemas },
});
const done = () => ({ status: 204, headers: {}, body: undefined });
const handlers = Object.fromEntries(names.map((name) => [name, done]));
const servers = await Promise.all(
  [true, false].map((fastLane) => serveContract(contract, handlers, { fastLane })),
);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

describe.each([
  ['in the lane', servers[0]?.url],
  ['on the full path', servers[1]?.url],
])('%s', (_, url) => {
  const post = async (name: string, body: unknown) => {
    const response = await fetch(`${url}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answer = await response.text();
    return { status: response.status, ...(answer && JSON.parse(answer)) };
  };
  const nested = (open: string, leaf: string, close: string, times: number) =>
    open.repeat(times) + leaf + close.repeat(times);
  const ids = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`,
    );
  const records = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      Object.fromEntries(kinds.slice(0, 10).map((name) => [name, i])),
    );
  /** A document of the TypeScript editors, whose members are in the order of their names. */
  const block = (type: string, content: readonly unknown[]) => ({ content, type });
  const tree = block('kind3', [block('kind1', [block('kind4', ['text', block('kind0', [])])])]);

  it.each<[string, string, unknown]>([
    ['identifiers that differ', 'Ids', ids(5000)],
    ['records that differ', 'Records', records(2000)],
    ['any JSON', 'Json', Array(40_000).fill(12)],
    ['objects of any JSON', 'Json', Array(15_000).fill({ a: 1, b: 2 })],
    [
      'a document of several kinds',
      'Document',
      block('kind3', Array(1000).fill(block('kind1', [{ type: 'kind2' }]))),
    ],
    ['kinds that the last member tells', 'Block', tree],
    ['many of them', 'Block', block('kind2', Array(500).fill(tree))],
    ['a tree with inheritance', 'Derived', nested('{"children":[', '{"tags":["a"]}', ']}', 4)],
    [
      'a tree of few levels whose branches differ',
      'Tree',
      nested('{"children":[', `{"a":[${'{},'.repeat(20_000)}1]}`, ']}', 2),
    ],
  ])('admits %s', async (_, name, body) => {
    expect(await post(name, body)).toMatchObject({ status: 204 });
  });

  it.each<[string, string, string, string]>([
    [
      'a tree whose branches are compared on each level',
      'Tree',
      nested('{"children":[', `{"a":[${'{},'.repeat(80_000)}1]}`, ']}', 24),
      'lists whose items must differ are too long',
    ],
    [
      'inheritance on each level',
      'Derived',
      nested('{"children":[', `{"tags":[${'"a",'.repeat(60_000)}"a"]}`, ']}', 49),
      'schemas that contain themselves nest too deep',
    ],
    [
      'names that are held against patterns again and again',
      'Named',
      nested('{"l":', `{${Array.from({ length: 12_000 }, (_, i) => `"a${i}":1`).join()}}`, '}', 3),
      'schemas that contain themselves nest too deep',
    ],
  ])('refuses %s', async (_, name, body, why) => {
    expect(await post(name, body)).toMatchObject({
      status: 400,
      detail: `The request takes too long to validate: ${why}.`,
    });
  });

  it('tells equal items in either form', async () => {
    const [first] = records(1);
    expect(await post('Records', [...records(2000), first])).toMatchObject({ status: 400 });
    expect(await post('Ids', [...ids(2000), ids(1)[0]])).toMatchObject({ status: 400 });
    expect((await post('Colours', ['red', 'blue', 'red'])).errors).toEqual([
      { path: '/body', message: 'must NOT have duplicate items (items ## 0 and 2 are identical)' },
    ]);
  });

  it('tells all faults where one schema alone is asked of each value', async () => {
    const { errors } = await post('Condition', { x: 'a', y: 'b' });
    expect(errors).toMatchObject([{ path: '/body/x' }, { path: '/body/y' }]);
    const kind = await post('Document', { type: 'kind1', attrs: 1, content: 1 });
    expect(kind.errors).toMatchObject([{ path: '/body/attrs' }, { path: '/body/content' }]);
  });

  it('tells the first fault where each of many alternatives lacks members', async () => {
    const second = async (count: number) =>
      (await post('Events', Array(count).fill({}))).errors[1]?.path;
    expect(await second(20)).toBe('/body/0/kind0');
    expect(await second(400)).toBe('/body/0/type');
  });

  it('refuses a deep list', async () => {
    const deep = nested('[', `${'{},'.repeat(80_000)}1`, ']', 98);
    expect(await post('Condition', deep)).toMatchObject({
      status: 400,
      errors: [{ path: '/body' }],
    });
  });
});
