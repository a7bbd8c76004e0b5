// engines: sqlite
import { describe, expect, it } from 'vitest';
import { changesText } from '../../support/changes-text.ts';
import { edited } from '../../support/operation-changes.ts';

const put = 'paths /planets/{id} put';
const said = (schema: object) => ({
  '{$request.body#/url}': {
    post: { requestBody: { content: { 'application/json': { schema } } }, responses: { 200: {} } },
  },
});
const text = said({ type: 'string' });
const shared = { $ref: '#/components/callbacks/Kept' };

describe('a callback', () => {
  const diff = (old: object | undefined, now: object | undefined) =>
    changes(old && ['callbacks', { kept: old }], now && ['callbacks', { kept: now }]);

  it('that is new is safe', async () => {
    expect(await diff(undefined, text)).toContain('safe callback-added | operation PUT');
  });

  it('that goes breaks those who wait for it', async () => {
    const lines = await diff(text, undefined);
    expect(lines).toContain('breaking gone callback-removed | operation PUT /planets/{id}');
    expect(lines).toContain('callback kept | #/paths/~1planets~1{id}/put/callbacks/kept');
    expect(lines).toContain('receivers that wait for it are told nothing');
  });

  it.each([
    ['its body', said({ type: 'integer' })],
    ['its address', { '{$request.query.url}': Object.values(text)[0] }],
  ])('of which %s changes asks for a decision', async (_, now) => {
    expect(await diff(text, now)).toContain('decision callback-changed');
  });

  it('is compared where it is shared too', async () => {
    const component = (value: object) => ['components callbacks', { Kept: value }] as const;
    const at = [`${put} callbacks`, { kept: shared }] as const;
    const [old, now] = [
      ['old', at, component(text)],
      ['now', at, component(said({}))],
    ] as const;
    expect(await between(old, now)).toContain('decision callback-changed');
    // Who refers to what stood there before says the same.
    const inline = ['inline', [`${put} callbacks`, { kept: text }], component(text)] as const;
    expect(await between(old, inline)).toBe('');
  });
});

describe('what a callback refers to', () => {
  const body = (schema: object) => ({ Body: { content: { 'application/json': { schema } } } });
  const referring = {
    '{$request.query.url}': { post: { requestBody: { $ref: '#/components/requestBodies/Body' } } },
  };
  const inline = (schema: object) => ({
    '{$request.query.url}': { post: { requestBody: body(schema).Body } },
  });
  const node = (more: object) => ({
    type: 'object',
    properties: { next: { $ref: '#/components/schemas/Node' }, ...more },
  });
  const edit = (callback: object, schema: object, more: object = {}): Edit => [
    'edit',
    [`${put} callbacks`, { kept: callback }],
    ['components requestBodies', body(schema)],
    ['components schemas Node', node(more)],
  ];

  it('is compared with it', async () => {
    const [old, now] = [edit(referring, { type: 'string' }), edit(referring, { type: 'integer' })];
    expect(await between(old, now)).toContain('decision callback-changed');
  });

  it('may stand in its place', async () => {
    const [old, now] = [
      edit(referring, { type: 'string' }),
      edit(inline({ type: 'string' }), { type: 'string' }),
    ];
    expect(await between(old, now)).not.toContain('callback-changed');
  });

  it('may lead back to itself', async () => {
    const schema = { $ref: '#/components/schemas/Node' };
    const [old, now] = [edit(referring, schema), edit(referring, schema, { name: {} })];
    expect(await between(old, old)).toBe('');
    expect(await between(old, now)).toContain('decision callback-changed');
  });

  it('may be written in another order, with other words and extensions', async () => {
    const old = edit(inline({ type: 'string', minLength: 1 }), {});
    const now = edit(inline({ minLength: 1, 'x-note': 1, type: 'string', description: 'It.' }), {});
    expect(await between(old, now)).toBe('');
    const named = (name: string) => edit(inline({ properties: { [name]: {} } }), {});
    expect(await between(named('x-note'), named('title'))).toContain('callback-changed');
  });

  it('may have any name', async () => {
    const proto = (callback: object): Edit => [
      'edit',
      [`${put} callbacks`, JSON.parse(`{"__proto__":${JSON.stringify(callback)}}`)],
    ];
    expect(await between(['edit'], proto(text))).toContain('safe callback-added');
    expect(await between(proto(text), ['edit'])).toContain('breaking gone callback-removed');
  });
});

describe('a link', () => {
  const answer = 'responses 204 links';
  const link = { operationId: 'getPlanet', parameters: { id: '$request.path.id' } };

  it('that is new is safe', async () => {
    const lines = await changes(undefined, [answer, { self: link }]);
    expect(lines).toContain('safe link-added | operation PUT /planets/{id} | answer 204 link self');
  });

  it('that goes asks for a decision', async () => {
    const lines = await changes([answer, { self: link }], undefined);
    expect(lines).toContain('decision gone link-removed');
    expect(lines).toContain('clients that follow it stop there');
  });

  it('that leads elsewhere asks for a decision, its words do not', async () => {
    const old = [answer, { self: link }] as const;
    const now = [answer, { self: { ...link, operationId: 'listMoons' } }] as const;
    expect(await changes(old, now)).toContain('decision link-changed');
    const named = [
      answer,
      { self: { ...link, parameters: { ...link.parameters, title: 'a' } } },
    ] as const;
    expect(await changes(old, named)).toContain('decision link-changed');
    expect(await changes(old, [answer, { self: { ...link, description: 'It.' } }])).toBe('');
  });
});

type Place = readonly [place: string, value: unknown];

function changes(old: Place | undefined, now: Place | undefined): Promise<string> {
  const edit = (at: Place | undefined) =>
    ['edit', ...(at ? [[`${put} ${at[0]}`, at[1]] as const] : [])] as const;
  return between(edit(old), edit(now));
}

type Edit = readonly [string, ...Place[]];

function between(old: Edit, now: Edit): Promise<string> {
  const [before, after] = [old, now].map((each) => ({ openapi: JSON.stringify(edited(each)) }));
  return changesText(Object(before), Object(after));
}
