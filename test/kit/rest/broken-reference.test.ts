// engines: sqlite, postgres
import { describe, expect, it } from 'vitest';
import { handlers, openapi, type Place, tables } from '../../support/family.ts';
import { useTables } from '../../support/table-server.ts';

const { send, faults } = useTables({ openapi, tables, handlers });

const UNKNOWN = 999_999;
const newId = async (path: string, json: object): Promise<number> =>
  (await send('POST', path, json)).json.id;
const newParent = () => newId('/parents', { name: 'x' });
const newChild = (parentId: number) =>
  newId('/children', { parentId, guardianId: null, name: 'x' });

describe('a write that names a record that is not there', () => {
  it.each<[Place, number, string]>([
    ['children', 422, 'invalid-request'],
    ['strict', 409, 'conflict'],
    ['plain', 404, 'not-found'],
    ['bare', 400, 'invalid-request'],
    ['ranges', 422, 'invalid-request'],
    ['open', 422, 'invalid-request'],
    ['numbered', 400, 'invalid-request'],
    ['silent', 400, 'invalid-request'],
  ])('is refused by the status that /%s declares: %d', async (place, status, code) => {
    const parentId = await newParent();
    const id = await newChild(parentId);
    const child = { parentId: UNKNOWN, guardianId: null, name: 'y' };
    const problem = {
      type: `urn:accord:problem:${code}`,
      status,
      detail: 'No parent has this id.',
      errors: [{ path: '/body/parentId', message: 'must be the id of a record that is there' }],
    };
    const created = await send('POST', `/${place}`, child);
    expect([created.status, created.json]).toEqual([status, expect.objectContaining(problem)]);
    const replaced = await send('PUT', `/${place}/${id}`, { ...child, parentId, guardianId: 0 });
    expect(replaced.status).toBe(status);
    expect(replaced.json).toMatchObject({
      detail: 'No guardian has this id.',
      errors: [{ path: '/body/guardianId' }],
    });
    expect((await send('GET', `/all-children/${id}`)).json).toMatchObject({ parentId, name: 'x' });
    expect(faults()).toEqual([]);
  });

  it('is 404 where the path names it, as a record that is not there itself', async () => {
    const child = { guardianId: null, name: 'x' };
    const refused = await send('POST', `/parents/${UNKNOWN}/children`, child);
    expect(refused.status).toBe(404);
    expect(refused.json).toMatchObject({
      detail: 'No parent has this id.',
      errors: [{ path: '/path/parentId' }],
    });
    const inBody = { ...child, guardianId: UNKNOWN };
    const other = await send('POST', `/parents/${await newParent()}/children`, inBody);
    expect(other.status).toBe(422);
    const missing = { parentId: await newParent(), ...child };
    expect((await send('PUT', `/children/${UNKNOWN}`, missing)).status).toBe(404);
  });

  it('has another status that is declared where the path names it, and 404 is not', async () => {
    expect((await send('POST', `/parents/${await newParent()}/babies`)).status).toBe(201);
    const { status, json } = await send('POST', `/parents/${UNKNOWN}/babies`);
    const message = 'must be the id of a record that is there';
    expect([status, json.errors]).toEqual([422, [{ path: '/path/parentId', message }]]);
  });

  it('is told without a place where neither the path nor a body names it', async () => {
    expect((await send('POST', `/babies?parentId=${await newParent()}`)).status).toBe(201);
    const { status, json } = await send('POST', `/babies?parentId=${UNKNOWN}`);
    expect([status, json.detail]).toEqual([422, 'No parent has this id.']);
    expect(json).not.toHaveProperty('errors');
    expect(faults()).toEqual([]);
  });
});

describe('the removal of a record that others refer to', () => {
  it.each<[Place, number]>([
    ['children', 409],
    ['strict', 409],
    ['ranges', 409],
    ['open', 409],
    ['unprocessed', 422],
  ])('is refused by the status that /%s declares: %d', async (place, status) => {
    const parentId = await newParent();
    const child = await newChild(parentId);
    const refused = await send('DELETE', `/${place}/parents/${parentId}`);
    expect([refused.status, refused.json]).toEqual([
      status,
      expect.objectContaining({ status, detail: 'Records of children refer to it.' }),
    ]);
    expect((await send('DELETE', `/all-children/${child}`)).status).toBe(204);
    expect((await send('DELETE', `/${place}/parents/${parentId}`)).status).toBe(204);
    expect(faults()).toEqual([]);
  });

  it('removes those that are declared to go with it', async () => {
    const child = await newChild(await newParent());
    const toy = await newId('/toys', { childId: child, name: 'x' });
    expect((await send('DELETE', `/all-children/${child}`)).status).toBe(204);
    const left = (await send('GET', '/toys')).json;
    expect(left.map(({ id }: { id: number }) => id)).not.toContain(toy);
  });
});
