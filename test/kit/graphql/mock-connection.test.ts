import { graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';

const args = '(first: Int, last: Int, after: String, before: String, kind: Int)';
const schema = createSchema(
  `
  type Query { both${args}: BothConnection! edges${args}: EdgesConnection! nodes${args}: NodesConnection numbers: Numbers! none: None! lone: Lone! }
  type BothConnection { edges: [Edge] nodes: [Log!]! pageInfo: PageInfo! name: String! }
  type EdgesConnection { edges: [Edge!]! pageInfo: PageInfo! totalCount: Int! }
  type NodesConnection { nodes: [Log]! pageInfo: PageInfo! totalCount: Int }
  type Numbers { nodes: [Int!]! pageInfo: PageInfo! }
  "No connections."
  type None { pageInfo: Int! nodes: [Int!]! }
  type Lone { pageInfo: PageInfo! edges: [Log!]! }
  type Edge { cursor: String! node: Log! weight: Int! }
  type Log { id: ID! text: String! }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }`,
  {},
  { mockSeed: 1 },
);

async function ask(source: string) {
  const { data, errors } = await graphql({ schema, source });
  expect(errors).toBeUndefined();
  return Object(data);
}

const info = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const asked = (given: Readonly<Record<string, unknown>>) => {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const texts = entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return texts.length > 0 ? `(${texts.join()})` : '';
};

describe('A mocked connection', () => {
  it('has the pages of three records that Relay’s algorithm gives, for any arguments', async () => {
    const whole = (await ask('{ both { edges { cursor node { id text } } } }')).both.edges;
    expect(whole).toHaveLength(3);
    expect(new Set(whole.map(({ node }: { node: { id: string } }) => node.id)).size).toBe(3);
    const cursors: string[] = whole.map(({ cursor }: { cursor: string }) => cursor);
    const counts = [undefined, 0, 1, 2, 9];
    const places = [undefined, ...cursors, 'unknown', 'cursor-x'];
    for (const after of places) {
      for (const before of places) {
        for (const first of counts) {
          for (const last of counts) {
            const found = relay(whole, { first, last, after, before });
            const given = asked({ first, last, after, before });
            const { both } = await ask(
              `{ both${given} { edges { cursor node { id text } } nodes { id } ${info} } }`,
            );
            expect(both.edges, given).toEqual(found);
            expect(both.nodes).toEqual(found.map(({ node }) => ({ id: node.id })));
            const [from, to] = [found[0]?.cursor ?? null, found.at(-1)?.cursor ?? null];
            expect(both.pageInfo).toMatchObject({ startCursor: from, endCursor: to });
            if (found.length === 0) continue;
            expect(both.pageInfo).toMatchObject({
              hasPreviousPage: from !== cursors[0],
              hasNextPage: to !== cursors[2],
            });
          }
        }
      }
    }
  });

  it('may have edges, nodes or both, and their total', async () => {
    const { edges, nodes, numbers } = await ask(`{
      edges(first: 2) { totalCount edges { cursor weight node { id } } ${info} }
      nodes(last: 1) { totalCount nodes { id } ${info} }
      numbers { nodes ${info} }
    }`);
    expect(edges.edges).toHaveLength(2);
    expect(edges).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(edges.edges.every(({ weight }: { weight: number }) => Number.isInteger(weight))).toBe(
      true,
    );
    expect(nodes.nodes).toHaveLength(1);
    expect(nodes).toMatchObject({ totalCount: 3, pageInfo: { hasPreviousPage: true } });
    expect(numbers.nodes).toHaveLength(3);
    expect(numbers.nodes.every(Number.isInteger)).toBe(true);
  });

  it('has other records for other arguments than those of its pages', async () => {
    const { a, b, c, d } = await ask(`{
      a: both(kind: 1) { name nodes { id } } b: both(kind: 2) { name nodes { id } }
      c: both(kind: 1, first: 3, last: 3) { name nodes { id } } d: both { nodes { id } }
    }`);
    expect(c).toEqual(a);
    expect(b.nodes).not.toEqual(a.nodes);
    expect(d.nodes).not.toEqual(a.nodes);
  });

  it('takes a count below zero for none', async () => {
    const { a, b } = await ask(
      '{ a: both(first: -1) { nodes { id } } b: both(last: -1) { nodes { id } } }',
    );
    expect([a.nodes, b.nodes]).toEqual([[], []]);
  });

  it('is none where a part of it is missing', async () => {
    const { none, lone } = await ask(
      `{ none { pageInfo nodes } lone { edges { id text } ${info} } }`,
    );
    expect([none.pageInfo, ...none.nodes].every(Number.isInteger)).toBe(true);
    expect([2, 3]).toContain(lone.edges.length);
  });
});

type Edge = { readonly cursor: string; readonly node: { readonly id: string } };
type Page = Readonly<Record<'first' | 'last', number | undefined>> &
  Readonly<Record<'after' | 'before', string | undefined>>;

/** EdgesToReturn of https://relay.dev/graphql/connections.htm. */
function relay(all: readonly Edge[], { first, last, after, before }: Page): readonly Edge[] {
  const at = (cursor: string | undefined) => all.findIndex((edge) => edge.cursor === cursor);
  const end = at(before) === -1 ? all.length : at(before);
  const applied = all.filter((_, i) => i > at(after) && i < end);
  const head = first === undefined ? applied : applied.slice(0, first);
  return last === undefined ? head : head.slice(Math.max(0, head.length - last));
}
