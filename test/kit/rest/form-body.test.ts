// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import type { AnyInput } from '../../../src/kit/rest/handler.ts';
import { serveContract } from '../../support/contract-server.ts';
import { text, whole } from '../../support/schemas.ts';

const FORM = 'application/x-www-form-urlencoded';
const list = { type: 'array', items: whole };
const object = { type: 'object', properties: { a: whole, b: text } };
const either = (...type: string[]) => ({
  type,
  ...(type.includes('array') && { items: whole }),
  ...(type.includes('object') && { properties: { a: whole } }),
});
const json = { contentType: 'application/json' };

type Field = { readonly schema: unknown; readonly encoding?: object };
type Form = Readonly<Record<string, Field>>;

/** Forms by path: the schema of each field, and how it is written. */
const forms: Readonly<Record<string, Form>> = {
  plain: {
    s: { schema: text },
    l: { schema: list },
    o: { schema: object },
    is: { schema: either('integer', 'string') },
    ia: { schema: either('integer', 'array') },
    na: { schema: either('number', 'array') },
    ba: { schema: either('boolean', 'array') },
    sa: { schema: either('string', 'array') },
    so: { schema: either('string', 'object') },
    ll: { schema: { type: 'array', items: list } },
    sn: { schema: { type: ['string', 'null'] } },
  },
  valued: {
    l: { schema: { const: ['x', 'y'] } },
    one: { schema: { enum: [['x'], ['y']] } },
    n: { schema: { enum: [1, 2] } },
    b: { schema: { const: true } },
    none: { schema: { enum: [1, null] } },
    whole: { schema: { const: 4 } },
    part: { schema: { properties: { a: whole } } },
  },
  typed: {
    jl: { schema: list, encoding: json },
    jll: { schema: { type: 'array', items: list }, encoding: json },
    js: { schema: text, encoding: json },
    jo: { schema: object, encoding: { contentType: 'application/vnd.x+json' } },
    to: { schema: object, encoding: { contentType: 'text/plain' } },
    ti: { schema: whole, encoding: { contentType: 'text/plain' } },
  },
  joined: {
    lf: { schema: list, encoding: { explode: false } },
    ls: { schema: list, encoding: { style: 'spaceDelimited' } },
    lp: { schema: list, encoding: { style: 'pipeDelimited' } },
    ol: { schema: object, encoding: { style: 'form', explode: false } },
    op: { schema: object, encoding: { style: 'pipeDelimited' } },
    t: { schema: text, encoding: { explode: false } },
  },
  spread: { o: { schema: object, encoding: { style: 'form' } }, s: { schema: text } },
  exploded: { o: { schema: object, encoding: { explode: true } } },
  mixed: {
    so: { schema: either('string', 'object'), encoding: { style: 'form' } },
    l: { schema: list, encoding: { style: 'form' } },
    s: { schema: text, encoding: { explode: true } },
  },
  deep: {
    d: {
      schema: {
        type: 'object',
        properties: {
          a: whole,
          l: list,
          os: { type: 'array', items: object },
          x: { type: 'object', additionalProperties: whole },
          w: either('object', 'array'),
          n: { $ref: '#/components/schemas/Nested' },
        },
      },
      encoding: { style: 'deepObject', explode: true },
    },
  },
};

const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Forms', version: '1.0.0' },
  paths: Object.fromEntries(
    Object.entries(forms).flatMap(([path, form]) =>
      [{}, { additionalProperties: whole }].map((others, i) => {
        const fields = Object.entries(form);
        const properties = Object.fromEntries(fields.map(([name, { schema }]) => [name, schema]));
        const encoding = Object.fromEntries(
          fields.flatMap(([name, each]) => (each.encoding ? [[name, each.encoding]] : [])),
        );
        const operation = {
          operationId: `${path}${i || ''}`,
          requestBody: {
            required: true,
            content: { [FORM]: { schema: { type: 'object', properties, ...others }, encoding } },
          },
          responses: { 200: { description: 'Taken.', content: { 'application/json': {} } } },
        };
        return [`/${path}${i || ''}`, { post: operation }] as const;
      }),
    ),
  ),
  components: {
    schemas: {
      Nested: { properties: { n: { $ref: '#/components/schemas/Nested' }, leaf: whole } },
    },
  },
});

// JSON would leave out a member that is undefined.
const told = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(told);
  if (value === undefined) return 'nothing';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, told(each)]));
};
const echo = ({ body }: AnyInput) => ({ status: 200, body: told(body) });
const ids = Object.keys(forms).flatMap((name) => [name, `${name}1`]);
const server = await serveContract(contract, Object.fromEntries(ids.map((id) => [id, echo])));
afterAll(() => server.stop());

async function send(path: string, body: string) {
  const init = { method: 'POST', body, headers: { 'content-type': FORM } };
  const response = await fetch(`${server.url}/${path}`, init);
  const answer = Object(await response.json());
  return response.status === 200 ? answer : answer.errors;
}
const refused = (path: string, message: string) => [{ path: `/body/${path}`, message }];
const twice = 'is given more than once';
const levels = (count: number) => `d[n]${'[n]'.repeat(count - 2)}[leaf]=1`;
const nested = (count: number): object => (count === 0 ? { leaf: 1 } : { n: nested(count - 1) });

describe('a form is read by the schema and the encoding of each field', () => {
  it.each<[form: string, body: string, value: unknown]>([
    ['plain', '=x', { '': 'x' }],
    ['plain', '&&s=a&', { s: 'a' }],
    ['plain', 's=a=b', { s: 'a=b' }],
    ['plain', 'x=1&x=2', { x: ['1', '2'] }],
    ['plain1', 'x=1', { x: 1 }],
    ['plain', 'l=1', { l: [1] }],
    ['plain', 'o={"a":1}', { o: { a: 1 } }],
    ['plain', 'o={"a":1}&o={}', refused('o', twice)],
    ['plain', 'is=1', { is: 1 }],
    ['plain', 'is=x', { is: 'x' }],
    ['plain', 'ia=1', { ia: 1 }],
    ['plain', 'ia=1&ia=2', { ia: [1, 2] }],
    ['plain', 'na=1.5', { na: 1.5 }],
    ['plain', 'ba=true', { ba: true }],
    ['plain', 'sa=1', { sa: '1' }],
    ['plain', 'sa=1&sa=2', { sa: [1, 2] }],
    ['plain', 'so={"a":1}', { so: '{"a":1}' }],
    ['plain', 'll=[1]&ll=[2,3]', { ll: [[1], [2, 3]] }],
    ['plain', 'll=[1]', { ll: [[1]] }],
    ['plain', 'sn=', { sn: '' }],
    ['valued', 'l=x&l=y', { l: ['x', 'y'] }],
    ['valued', 'one=x', { one: ['x'] }],
    ['valued', 'n=2&b=true', { n: 2, b: true }],
    ['valued', 'none=', { none: null }],
    ['valued', 'whole=4', { whole: 4 }],
    ['valued', 'whole=4.0', refused('whole', 'must be equal to constant')],
    ['valued', 'part={"a":1}', { part: { a: 1 } }],
    ['typed', 'jl=[1,2]', { jl: [1, 2] }],
    ['typed', 'jl=1&jl=2', { jl: [1, 2] }],
    [
      'typed',
      'jl=[1]&jl=[2]',
      [
        { path: '/body/jl/0', message: 'must be integer' },
        { path: '/body/jl/1', message: 'must be integer' },
      ],
    ],
    ['typed', 'jll=[1]', { jll: [[1]] }],
    ['typed', 'js="a"', { js: 'a' }],
    ['typed', 'js=a', refused('js', 'is not valid JSON')],
    ['typed', 'jo={"a":1}', { jo: { a: 1 } }],
    ['typed', 'to={"a":1}', refused('to', 'must be object')],
    ['typed', 'ti=7', { ti: 7 }],
    ['joined', 'lf=1,2', { lf: [1, 2] }],
    ['joined', 'lf=1&lf=2', refused('lf', twice)],
    ['joined', 'ls=1+2%203', { ls: [1, 2, 3] }],
    ['joined', 'lp=1|2', { lp: [1, 2] }],
    ['joined', 'ol=a,1,b,2', { ol: { a: 1, b: '2' } }],
    ['joined', 'ol=a,1,b', { ol: { a: 1, b: '' } }],
    ['joined', 'op=b|x', { op: { b: 'x' } }],
    ['joined', 't=a,b', { t: 'a,b' }],
    ['spread', 'a=1&b=2&s=x', { o: { a: 1, b: '2' }, s: 'x' }],
    ['spread', 's=x', { s: 'x' }],
    ['spread', 'a=1&a=2', refused('a', twice)],
    ['exploded', 'a=1', { o: { a: 1 } }],
    ['mixed', 'so=x', { so: 'x' }],
    ['mixed', 'l=1&l=2', { l: [1, 2] }],
    ['mixed', 's=a,b', { s: 'a,b' }],
    ['deep', 'd[a]=1&d[x][y]=2', { d: { a: 1, x: { y: 2 } } }],
    ['deep', 'd[a]=1&d[a]=2', refused('d[a]', twice)],
    ['deep', 'd[l][0]=1&d[l][1]=2', { d: { l: [1, 2] } }],
    [
      'deep',
      'd[os][0][a]=1&d[os][0][b]=x&d[os][1][a]=2',
      {
        d: { os: [{ a: 1, b: 'x' }, { a: 2 }] },
      },
    ],
    ['deep', 'd[os][][a]=1&d[os][][a]=2', { d: { os: [{ a: 1 }, { a: 2 }] } }],
    ['deep', 'd[]=1&d[z]=2', { d: { '': '1', z: '2' } }],
    ['deep', 'd[w][a]=1', { d: { w: { a: 1 } } }],
    ['deep', 'd={"a":1}', { d: { a: 1 } }],
    ['deep', 'd[a=1', { 'd[a': '1' }],
    ['deep', 'd{a]=1', { 'd{a]': '1' }],
    ['deep', levels(9), { d: nested(8) }],
    ['deep', levels(10), { d: nested(9) }],
    ['deep', levels(11), { [levels(11).slice(0, -2)]: '1' }],
    ['deep1', 'd[a]=1&x=2', { d: { a: 1 }, x: 2 }],
  ])('/%s %s', async (form, body, value) => {
    expect(await send(form, body)).toEqual(value);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'also where a field is called %s',
    async (name) => {
      expect(Object.entries(await send('plain1', `${name}=1`))).toEqual([[name, 1]]);
    },
  );
});
