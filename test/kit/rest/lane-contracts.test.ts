// slow: compares thousands of requests
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Document, parseDocument, visit } from 'yaml';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { present } from '../../../src/kit/errors.ts';
import { compare } from '../../support/compare.ts';
import { requestsOf } from '../../support/contract-requests.ts';
import { serveContract } from '../../support/contract-server.ts';
import { bodyContract, parameterContract, styleContract } from '../../support/lane-contracts.ts';

// As many as are asked for; a long run has more.
const COUNT = Number(process.env.LANE_REQUESTS ?? 300);

/** For each contract a server without a lane and one with it. */
const full = new Map<string, Server>();
const lane = new Map<string, Server>();
beforeAll(async () => {
  for (const text of [parameterContract, styleContract, bodyContract]) {
    full.set(text, await serve(text));
    lane.set(text, await serve(text, true));
  }
});
afterAll(() => Promise.all([...full.values(), ...lane.values()].map((server) => server.stop())));

describe('the fast lane', () => {
  it.each([
    ['parameters', parameterContract],
    ['styles', styleContract],
    ['bodies', bodyContract],
  ])(
    'answers every request as the full path does, to the byte, with a contract of %s',
    async (_, text) => {
      const servers = [present(lane.get(text)), present(full.get(text))] as const;
      const [{ url: one, contract }, { url: other }] = servers;
      const statuses = await compare([one, other], requestsOf(contract), COUNT, {
        isStateful: false,
      });
      // Of each kind there are enough to mean something, and no input makes the server fail.
      expect(statuses.get('200')).toBeGreaterThan(COUNT / 5);
      expect(statuses.get('400')).toBeGreaterThan(COUNT / 10);
      expect([...statuses.keys()].filter((status) => status >= '500')).toEqual([]);
    },
  );
});

/** A server whose contract was edited stands for a lane that reads the contract so. */
describe('the comparison catches a lane that', () => {
  it.each<[string, string, Edit]>([
    ['takes a required query parameter for optional', parameterContract, optional('query')],
    ['takes a required header for optional', parameterContract, optional('header')],
    ['takes no notice of patterns and enumerations', parameterContract, without('pattern', 'enum')],
    ['takes no notice of bounds', parameterContract, without('minimum', 'maximum', 'maxLength')],
    [
      'takes a parameter of a path for that of its operation',
      parameterContract,
      (contract) => contract.deleteIn(['paths', '/levels/{id}', 'get', 'parameters', 0]),
    ],
    [
      'prefers another template of a path',
      parameterContract,
      (contract) => contract.deleteIn(['paths', '/a/c/{z}']),
    ],
    [
      'answers HEAD where there is no GET',
      parameterContract,
      (contract) => {
        const operation = contract.getIn(['paths', '/nothing', 'get']);
        contract.deleteIn(['paths', '/nothing']);
        contract.setIn(['paths', '/only-post', 'head'], operation);
      },
    ],
    ['takes lists for any length', styleContract, without('maxItems')],
    ['fills in no defaults of parameters', styleContract, without('default')],
    ['takes texts for values', styleContract, without('explode', 'style')],
    ['lets read-only properties through', bodyContract, without('readOnly')],
    [
      'takes no notice of a discriminator',
      bodyContract,
      (contract) => contract.setIn(['components', 'schemas', 'pet'], { type: 'object' }),
    ],
    ['counts no properties', bodyContract, without('maxProperties')],
    ['fills in no defaults', bodyContract, without('default')],
    ['takes unknown properties', bodyContract, without('additionalProperties')],
    ['takes no notice of a format', bodyContract, without('format')],
  ])('%s', async (_, text, edit) => {
    const contract = parseDocument(text);
    edit(contract);
    const faulty = await serve(String(contract), true);
    const { url, contract: whole } = present(full.get(text));
    const compared = compare([faulty.url, url], requestsOf(whole), 5000);
    await expect(compared.finally(faulty.stop)).rejects.toThrow('Property failed');
  });
});

type Edit = (contract: Document) => void;

function optional(place: string): Edit {
  return (contract) =>
    visit(contract, {
      Map(_, part) {
        if (part.get('in') === place) part.set('required', false);
      },
    });
}

function without(...keywords: readonly string[]): Edit {
  return (contract) =>
    visit(contract, {
      Map(_, part) {
        for (const keyword of keywords) part.delete(keyword);
      },
    });
}

/** What once differed between the two, or was wrong in both, request by request. */
describe.each([
  ['the full path', full],
  ['the fast lane', lane],
])('%s', (_, servers) => {
  const send = async (text: string, target: string, init: RequestInit = {}) => {
    const response = await fetch(`${servers.get(text)?.url}${target}`, init);
    const answer = await response.text();
    return { response, status: response.status, json: Object(answer && JSON.parse(answer)) };
  };
  const post = (id: string, body: unknown) =>
    send(bodyContract, `/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const keys = { 'x-key': 'a', 'x-count': '1' };

  it.each<[string, string, Record<string, string>, string]>([
    ['a required query parameter is missing', '/required?size=1', keys, '/query/name'],
    [
      'a required header is missing',
      '/required?size=1&name=a',
      { 'x-key': 'a' },
      '/headers/x-count',
    ],
    ['a query value is empty', '/required?size=1&name=', keys, '/query/name'],
    [
      'a header is no integer in decimal digits',
      '/required?size=1&name=a',
      { ...keys, 'x-count': '1e1' },
      '/headers/x-count',
    ],
    ['a required cookie is missing', '/exotic', { cookie: 'other=abc' }, '/cookies/session'],
    ['an operation overrides a parameter by reference', '/levels/3?page=first', {}, '/query/page'],
    [
      'a parameter has the name of one in another place',
      '/places/a?name=elsewhere',
      {},
      '/query/name',
    ],
  ])('refuses a request where %s', async (_, target, headers, path) => {
    const { status, json } = await send(parameterContract, target, { headers });
    expect([status, json.errors?.[0].path]).toEqual([400, path]);
  });

  it.each<[string, string, Record<string, string>, object]>([
    ['a required cookie', '/exotic', { cookie: 'other=abc; session=xyz' }, { query: {} }],
    [
      'what an operation overrides',
      '/levels/3?page=3',
      {},
      { path: { id: 3 }, query: { page: 3 } },
    ],
    ['one name in several places', '/places/a?name=in-query', {}, { query: { name: 'in-query' } }],
    // OpenAPI has a parameter for this header ignored.
    ['a header that is not a parameter', '/optional', {}, { headers: {} }],
  ])('admits %s', async (_, target, headers, input) => {
    const { status, json } = await send(parameterContract, target, { headers });
    expect(status).toBe(200);
    expect(json).toMatchObject(input);
  });

  const styled = (target: string, headers: Record<string, string>) =>
    send(styleContract, target, { headers });

  it.each<[string, string, Record<string, string>, object]>([
    [
      'lists',
      '/lists?form=1&form=2&joined=a,b',
      {},
      { query: { form: [1, 2], joined: ['a', 'b'] } },
    ],
    [
      'lists with other delimiters',
      '/lists?spaced=true%20false&piped=1.5|-2',
      {},
      { query: { spaced: [true, false], piped: [1.5, -2] } },
    ],
    ['a list in a header', '/lists', { 'x-list': '1, 2' }, { headers: { 'x-list': [1, 2] } }],
    ['a list in a cookie', '/lists', { cookie: 'a=b; ids=1,2' }, { cookies: { ids: [1, 2] } }],
    [
      'an object whose members are names',
      '/objects?from=1&to=5',
      {},
      { query: { spread: { from: 1, to: 5 } } },
    ],
    [
      'an object in one text',
      '/objects?joined=from,1,exact,true',
      {},
      { query: { joined: { from: 1, exact: true } } },
    ],
    [
      'brackets',
      '/objects?filter[name]=a&filter[range][from]=1',
      {},
      { query: { filter: { name: 'a', range: { from: 1 }, level: 1 } } },
    ],
    [
      'JSON',
      '/objects?json={"name":"a","tags":["b"]}',
      {},
      { query: { json: { name: 'a', tags: ['b'], level: 1 } } },
    ],
    ['a name with brackets', '/objects?page[size]=3', {}, { query: { 'page[size]': 3 } }],
    ['a default', '/objects', {}, { query: { 'page[size]': 20 } }],
    [
      'defaults behind a reference and in a cookie',
      '/types?number=1',
      {},
      { query: { number: 1, limit: 5, listed: ['a', 'b'] }, cookies: { token: 'none' } },
    ],
    [
      'other names',
      '/open?known=true&a=1&b=x',
      {},
      { query: { known: true, others: { a: 1, b: 'x' } } },
    ],
    [
      'a date, text and null',
      '/types?number=1&date=2026-02-03&either=abc&nullable=',
      {},
      { query: { date: '2026-02-03', either: 'abc', nullable: null } },
    ],
    ['a key', '/types?number=1&api_key=x', {}, { query: { number: 1 } }],
    ['simple paths', '/simple/1,2/from=1,to=3', {}, { path: { a: [1, 2], b: { from: 1, to: 3 } } }],
    ['label paths', '/label/.1.2/.true', {}, { path: { a: [1, 2], b: true } }],
    ['matrix paths', '/matrix/;a=1;a=2/;b=from,1', {}, { path: { a: [1, 2], b: { from: 1 } } }],
  ])('reads %s', async (_, target, headers, input) => {
    const { status, json } = await styled(target, headers);
    expect(status).toBe(200);
    expect(json).toMatchObject(input);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['/lists?form=1&form=2&form=3&form=4', {}, '/query/form', 'must NOT have more than 3 items'],
    ['/lists?form=1&form=x', {}, '/query/form/1', 'must be an integer in decimal digits'],
    ['/lists?spaced=true+no', {}, '/query/spaced/1', 'must be boolean'],
    ['/lists', { 'x-list': '1,-1' }, '/headers/x-list/1', 'must be >= 0'],
    ['/objects?filter[tags]=a', {}, '/query/filter/name', 'is required'],
    ['/objects?to=1', {}, '/query/spread/to', 'must be >= 3'],
    ['/objects?joined=from,1,x,1', {}, '/query/joined/x', 'is not a known property'],
    ['/types', {}, '/query/number', 'is required'],
    ['/types?number=1&date=2026-13-01', {}, '/query/date', 'must match format "date"'],
    ['/open?a=1&b=1&c=1&d=1&e=1', {}, '/query/others', 'must NOT have more than 4 properties'],
  ])('refuses %s %j', async (target, headers, path, message) => {
    const { status, json } = await styled(target, headers);
    expect([status, json.errors]).toEqual([400, [{ path, message }]]);
  });

  it('does not answer HEAD where there is no GET, and names the methods that there are', async () => {
    const { response } = await send(parameterContract, '/only-post', { method: 'HEAD' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    const dashed = await send(parameterContract, '/dashed/1', { method: 'PUT' });
    expect([dashed.status, dashed.response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const own = await send(parameterContract, '/heads', { method: 'PUT' });
    expect(own.response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('answers HEAD by its own operation where the contract has one', async () => {
    const { status } = await send(parameterContract, '/only-head', { method: 'HEAD' });
    expect(status).toBe(200);
  });

  it('has no path where the contract says so of a number that is none', async () => {
    expect((await send(parameterContract, '/missed/1/a')).status).toBe(200);
    expect((await send(parameterContract, '/missed/x/a')).status).toBe(404);
    expect((await send(parameterContract, '/missed/1/abcd')).status).toBe(404);
  });

  it.each<[string, string, unknown, string]>([
    ['a read-only property', 'record', { name: 'a', id: 1 }, '/body/id'],
    ['a read-only property that is null', 'record', { name: 'a', id: null }, '/body/id'],
    ['a discriminator of no schema', 'pet', { kind: 'cat', lives: 9 }, '/body/kind'],
    ['a fault in the schema that its discriminator names', 'pet', { kind: 'tom' }, '/body/lives'],
    ['null where there is a discriminator', 'pet', null, '/body'],
    ['no discriminator', 'pet', { lives: 9 }, '/body/kind'],
    ['a discriminator of no schema within', 'nested', { pet: { kind: 'x' } }, '/body/pet/kind'],
    ['a fault in a schema named within', 'nested', { pet: { kind: 'rex' } }, '/body/pet/good'],
    ['a property too many', 'wide', members(121), '/body'],
    ['a fraction where the format is of integers', 'formats', { n: 1, m: 1.5 }, '/body/m'],
  ])('refuses a body with %s', async (_, id, body, path) => {
    const { status, json } = await post(id, body);
    const places = new Set(json.errors?.map((each: { path: string }) => each.path));
    expect([status, [...places]]).toEqual([400, [path]]);
  });

  it('admits every property that the contract does, however many', async () => {
    expect((await post('wide', members(120))).json.body).toEqual(members(120));
    const many = { a: 1, ...members(300) };
    expect((await post('open', many)).json.body).toEqual(many);
    const list = Array.from({ length: 110 }, () => ({ on: true, size: 1, deep: {} }));
    expect((await post('list', list)).status).toBe(200);
  });

  it('fills in defaults that no other request has had a hand on', async () => {
    const filled = { on: false, size: null, deep: { list: [1], inner: { a: 1, b: 'b' } } };
    for (let i = 0; i < 3; i++) expect((await post('settings', {})).json.body).toEqual(filled);
  });
});

function members(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));
}

type Server = Awaited<ReturnType<typeof serveContract>>;

/** Its handlers give back their input, and spoil it afterwards: nobody else may have a hand on it. */
async function serve(text: string, fastLane = false): Promise<Server> {
  const { operations } = await parseContract(text);
  const echo = (input: object) => {
    const reply = { status: 200, headers: {}, body: JSON.stringify(input) };
    spoil(input);
    return reply;
  };
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, echo]));
  const security = text.includes('securitySchemes') ? { key: (given: string) => given } : {};
  return serveContract(text, handlers, { fastLane, security });
}

function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) spoil(member);
  Object.assign(value, { spoilt: true });
}
