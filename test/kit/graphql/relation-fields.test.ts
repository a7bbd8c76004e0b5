// engines: sqlite, postgres
import { describe, expect, it } from 'vitest';
import { ENOUGH_CONNECTIONS } from '../../support/engine.ts';
import { handlers, openapi, resolvers, graphql as sdl, tables } from '../../support/family.ts';
import { useTables } from '../../support/table-server.ts';

const { send, graphql, statements, faults } = useTables({
  ...{ openapi, graphql: sdl, tables, handlers, resolvers },
  env: { GRAPHQL_FIELDS: '20000', DATABASE_POOL: `${ENOUGH_CONNECTIONS}` },
});

const newId = async (path: string, json: object): Promise<number> =>
  (await send('POST', path, json)).json.id;
const newParent = (name: string) => newId('/parents', { name });
const newChild = (parentId: number, guardianId: number | null, name: string) =>
  newId('/children', { parentId, guardianId, name });

describe('the fields of relations', () => {
  it('are read in one statement for each, however many records there are', async () => {
    const parents = [await newParent('Ann'), await newParent('Bo'), await newParent('Cy')];
    const [ann = 0, bo = 0, cy = 0] = parents;
    for (let i = 0; i < 30; i++) {
      const child = await newChild(i % 2 ? ann : bo, i % 3 ? null : cy, `child ${i}`);
      await newId('/toys', { childId: child, name: `toy of child ${i}` });
    }
    const before = statements();
    const query = `{ children {
      name parent { name } guardian { name children { name } }
      toys { name child { name parent { name } } }
    } }`;
    const { data, errors } = await graphql(query);
    expect(errors).toBeUndefined();
    // Children, their parents, guardians and toys, then the children and parents of those.
    expect(statements() - before).toBeLessThanOrEqual(8);
    // The second tells how large its answers are.
    expect(await graphql(query)).toEqual({ data });
    const between = statements();
    expect(await graphql(query)).toEqual({ data });
    expect(statements() - between).toBe(1);
    for (const [i, child] of data.children.entries()) {
      const parent = { name: i % 2 ? 'Ann' : 'Bo' };
      expect(child).toEqual({
        name: `child ${i}`,
        parent,
        guardian: i % 3 ? null : { name: 'Cy', children: [] },
        toys: [{ name: `toy of child ${i}`, child: { name: `child ${i}`, parent } }],
      });
    }
  });

  it('are charged to the answer budget as often as they are shown', async () => {
    const parent = await newParent('x'.repeat(100_000));
    const children = [];
    for (let i = 0; i < 20; i++) children.push(await newChild(parent, null, 'x'));
    const [first] = children;
    const one = await graphql(`{ child(id: "${first}") { parent { name } } }`);
    expect(one.data.child.parent.name.length).toBe(100_000);
    const all = await graphql('{ children { parent { name } } }');
    expect(all.errors?.[0]?.extensions).toEqual({ code: 'QUERY_TOO_COMPLEX' });
    for (const id of children) await send('DELETE', `/all-children/${id}`);
    await send('DELETE', `/children/parents/${parent}`);
  });
});

describe('a mutation that breaks a relation', () => {
  const coded = ({ errors }: Awaited<ReturnType<typeof graphql>>) =>
    errors.map(({ message, extensions }: { message: string; extensions: object }) => ({
      message,
      ...extensions,
    }));

  it('is refused with a code of its own', async () => {
    const unknown = await graphql('mutation { createChild(parentId: 999999, name: "x") { id } }');
    expect(coded(unknown)).toEqual([{ code: 'NOT_FOUND', message: 'No parent has this id.' }]);
    const parent = await newParent('x');
    const child = await newChild(parent, null, 'x');
    const remove = `mutation { removeParent(id: ${parent}) }`;
    expect(coded(await graphql(remove))).toEqual([
      { code: 'CONFLICT', message: 'Records of children refer to it.' },
    ]);
    await graphql(`mutation { removeChild(id: ${child}) }`);
    expect(await graphql(remove)).toEqual({ data: { removeParent: true } });
    expect(faults()).toEqual([]);
  });
});

describe('32 writers that add and remove parents and children in both protocols', () => {
  it('leave no orphan, and are answered by the contract’s words', async () => {
    const known = { parents: [await newParent('first')], children: [] as number[] };
    // While none is known: an id that none gets, or it might be removed before its answer is read.
    const pick = (ids: readonly number[]) => ids[Math.floor(Math.random() * ids.length)] ?? 999_999;
    const outcomes = new Map<string, number>();
    const count = (outcome: string | number) =>
      outcomes.set(String(outcome), (outcomes.get(String(outcome)) ?? 0) + 1);
    const rest = async (ids: number[], ...request: Parameters<typeof send>) => {
      const { status, json } = await send(...request);
      count(status);
      if (status === 201) ids.push(json.id);
    };
    const mutate = async (ids: number[], mutation: string) => {
      const { data, errors } = await graphql(`mutation { it: ${mutation} }`);
      count(errors ? errors[0].extensions.code : 'data');
      if (data?.it?.id) ids.push(Number(data.it.id));
    };
    const child = () => ({
      parentId: pick(known.parents),
      guardianId: Math.random() < 0.5 ? null : pick(known.parents),
      name: 'x',
    });
    const steps = [
      () => rest(known.parents, 'POST', '/parents', { name: 'x' }),
      () => rest(known.children, 'POST', '/children', child()),
      () => rest([], 'PUT', `/children/${pick(known.children)}`, child()),
      () => rest([], 'POST', '/toys', { childId: pick(known.children), name: 'x' }),
      () => rest([], 'DELETE', `/children/parents/${pick(known.parents)}`),
      () => rest([], 'DELETE', `/all-children/${pick(known.children)}`),
      () => mutate(known.parents, 'createParent(name: "x") { id }'),
      () =>
        mutate(known.children, `createChild(parentId: ${pick(known.parents)}, name: "x") { id }`),
      () => mutate([], `removeParent(id: ${pick(known.parents)})`),
      () => mutate([], `removeChild(id: ${pick(known.children)})`),
    ];
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        for (let i = 0; i < 25; i++) await steps[Math.floor(Math.random() * steps.length)]?.();
      }),
    );
    const allowed = ['200', '201', '204', '404', '409', '422', 'data', 'NOT_FOUND', 'CONFLICT'];
    expect([...outcomes.keys()].filter((outcome) => !allowed.includes(outcome))).toEqual([]);
    for (const outcome of ['422', '409', 'NOT_FOUND', 'CONFLICT']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(0);
    }
    expect(faults()).toEqual([]);
    const idsOf = (records: { id: number }[]) => new Set(records.map(({ id }) => id));
    const [parents, children, toys] = await Promise.all(
      ['/parents', '/all-children', '/toys'].map(async (path) => (await send('GET', path)).json),
    );
    for (const { parentId, guardianId } of children) {
      expect(idsOf(parents)).toContain(parentId);
      if (guardianId !== null) expect(idsOf(parents)).toContain(guardianId);
    }
    for (const { childId } of toys) expect(idsOf(children)).toContain(childId);
  });
});
