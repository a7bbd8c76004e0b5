// engines: sqlite, postgres
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tables } from '../../src/api/tables.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { present } from '../../src/kit/errors.ts';
import { columnsOf } from '../../src/kit/store/columns.ts';
import { useServer } from '../support/api-server.ts';
import { defaultsOf, valuesOf } from '../support/arbitrary.ts';
import { collections, PARENTS, referencesOf } from '../support/collections.ts';

const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));

type Fields = Record<string, unknown>;
type Kept = { fields: Fields; version: number };

/** What a collection should hold: a plain map, and the last id that was given. */
type Model = { readonly records: Map<number, Kept>; lastId: number };

type Tagged = { readonly id: number; readonly tag: number | undefined };
type Step =
  | { readonly do: 'create'; readonly fields: Fields }
  | ({ readonly do: 'get' } & Tagged)
  | ({ readonly do: 'remove' } & Tagged)
  | ({ readonly do: 'replace'; readonly fields: Fields } & Tagged)
  | { readonly do: 'list'; readonly after: number | undefined; readonly limit: number | undefined };

describe.each(collections)('/%s, in any order of operations,', (name) => {
  const { api, log } = useServer({}, [name]);
  // Each run goes on with what the ones before have left, and so does the model.
  const model: Model = { records: new Map(), lastId: 0 };

  const operation = contract.operations.find(
    ({ path, method }) => path === `/${name}` && method === 'POST',
  );
  const schema = present(present(operation).bodySchema);
  const references = referencesOf(name).map((field) => [field, fc.constantFrom(...PARENTS)]);
  const fields = valuesOf(contract, schema, Object.fromEntries(references));
  const nullable = columnsOf(tables[name].columns).filter(({ absent }) => absent === 'null');
  const defaults = {
    ...Object.fromEntries(nullable.map(({ field }) => [field, null])),
    ...defaultsOf(contract, schema),
  };

  // A small number from the last id backwards finds records that are there, gone, or not there yet.
  const recent = fc.integer({ min: -2, max: 12 });
  const tag = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('create'), fields }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('get'), id: recent, tag }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), id: recent, tag }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('replace'), id: recent, tag, fields }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('list'),
        after: fc.option(recent, { nil: undefined }),
        limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      }),
    },
  );

  it('answers as a plain map would', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        for (const each of steps) await take(each);
      }),
      { numRuns: 25 },
    );
    expect(model.lastId).toBeGreaterThan(20);
    expect(log.filter((line) => line.includes('failed'))).toEqual([]);
  });

  async function take(step: Step): Promise<void> {
    if (step.do === 'create') return create(step.fields);
    if (step.do === 'list') return list(step.after, step.limit);
    const id = Math.max(1, model.lastId - step.id);
    if (step.do === 'get') return get(id, step.tag);
    return write(id, step.tag, step.do === 'replace' ? step.fields : undefined);
  }

  async function get(id: number, tag: number | undefined): Promise<void> {
    const kept = model.records.get(id);
    const headers = tagged('if-none-match', tag);
    const { status, json } = await api({ path: `/${name}/${id}`, headers });
    if (!kept) expect(status).toBe(404);
    else if (tag === kept.version) expect(status).toBe(304);
    else expect(json).toEqual({ id, ...kept.fields });
  }

  async function write(id: number, tag: number | undefined, json?: Fields): Promise<void> {
    const kept = model.records.get(id);
    const method = json ? 'PUT' : 'DELETE';
    const headers = tagged('if-match', tag);
    const answer = await api({ method, path: `/${name}/${id}`, headers, json });
    if (!kept) return expect(answer.status).toBe(404);
    if (tag !== undefined && tag !== kept.version) return expect(answer.status).toBe(412);
    if (!json) {
      model.records.delete(id);
      return expect(answer.status).toBe(204);
    }
    kept.fields = { ...defaults, ...json };
    kept.version += 1;
    expect(answer.json).toEqual({ id, ...kept.fields });
    expect(answer.headers.etag).toBe(`"${kept.version}"`);
  }

  async function create(given: Fields): Promise<void> {
    const { status, json } = await api({ method: 'POST', path: `/${name}`, json: given });
    expect(status).toBe(201);
    expect(json.id).toBeGreaterThan(model.lastId);
    model.lastId = json.id;
    model.records.set(json.id, { fields: { ...defaults, ...given }, version: 1 });
    expect(json).toEqual({ id: json.id, ...defaults, ...given });
  }

  async function list(back: number | undefined, limit: number | undefined): Promise<void> {
    const after = back === undefined ? undefined : Math.max(0, model.lastId - back);
    const query = new URLSearchParams();
    if (after !== undefined) query.set('after', `${after}`);
    if (limit !== undefined) query.set('limit', `${limit}`);
    const { json, headers } = await api({ path: `/${name}${query.size ? `?${query}` : ''}` });
    const rest = [...model.records]
      .filter(([id]) => id > (after ?? 0))
      .map(([id, kept]) => ({ id, ...kept.fields }));
    expect(json).toEqual(rest.slice(0, limit));
    const isLast = limit === undefined || rest.length <= limit;
    const next = `</${name}?limit=${limit}&after=${json.at(-1)?.id}>; rel="next"`;
    expect(headers.link).toBe(isLast ? undefined : next);
  }
});

function tagged(header: string, version: number | undefined): Record<string, string> {
  return version === undefined ? {} : { [header]: `"${version}"` };
}
