// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import type { UploadedFile } from '../../../src/kit/http/upload-spool.ts';
import { serveContract } from '../../support/contract-server.ts';
import { text, whole } from '../../support/schemas.ts';

const bytes = { type: 'string', contentMediaType: 'application/octet-stream' };
const form = (properties: object, others: object = {}) => ({
  ...{ type: 'object', properties, additionalProperties: false },
  ...others,
});
const png = { contentType: 'image/png' };
const open = { type: 'object' };

/** What is declared for multipart/form-data, by path. */
const media: Readonly<Record<string, object>> = {
  nothing: {},
  kinds: {
    schema: form({
      png: { type: 'string', contentMediaType: 'image/png' },
      csv: { type: 'string', contentMediaType: 'text/csv' },
      base64: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
      text,
      typedText: text,
      typedAny: {},
      typedWhole: whole,
      typedMixed: text,
      typedSome: text,
      typedList: { type: 'array', items: text },
      any: {},
      listless: { type: 'string', items: bytes },
    }),
    encoding: {
      ...{ typedText: png, typedAny: png, typedWhole: png, typedList: png },
      typedMixed: { contentType: 'image/png, text/csv' },
      typedSome: { contentType: 'image/png, image/gif' },
    },
  },
  ranged: {
    schema: form({ picture: bytes, exact: bytes, several: bytes, free: bytes }),
    encoding: {
      picture: { contentType: 'image/*' },
      exact: { contentType: 'image/png' },
      several: { contentType: 'image/png, image/gif' },
    },
  },
  bounded: {
    schema: form({
      sized: { ...bytes, minLength: 2, maxLength: 3 },
      several: { type: 'array', items: bytes, minItems: 2, maxItems: 3 },
      least: { type: 'array', items: bytes, minItems: 2 },
    }),
  },
  others: { schema: { type: 'object', additionalProperties: bytes } },
  wholes: { schema: { type: 'object', additionalProperties: whole } },
  allOf: { schema: { ...open, allOf: [{ properties: { file: bytes } }] } },
  anyOf: { schema: { ...open, anyOf: [{ properties: { file: bytes } }, { required: ['x'] }] } },
  oneOf: { schema: { ...open, oneOf: [{ properties: { file: bytes } }, { required: ['x'] }] } },
  referred: {
    schema: { $ref: '#/components/schemas/Files', allOf: [{ required: ['id'] }] },
  },
  evaluated: { schema: { ...open, properties: { id: whole }, unevaluatedProperties: false } },
  // No value can be held to it. The others are served all the same.
  endless: { schema: { $ref: '#/components/schemas/Endless' } },
  nested: { schema: form({ lists: { $ref: '#/components/schemas/Lists' } }) },
  styled: {
    schema: form({ list: { type: 'array', items: whole } }),
    encoding: { list: { style: 'form', explode: false } },
  },
};

const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Files', version: '1' },
  paths: Object.fromEntries(
    Object.entries(media).map(([operationId, each]) => [
      `/${operationId}`,
      {
        post: {
          operationId,
          requestBody: { required: true, content: { 'multipart/form-data': each } },
          responses: { 200: { description: 'Taken.', content: { 'application/json': {} } } },
        },
      },
    ]),
  ),
  components: {
    schemas: {
      Lists: { type: 'array', items: { $ref: '#/components/schemas/Lists' } },
      Files: { ...open, properties: { file: bytes, id: whole } },
      Endless: {
        anyOf: [
          { ...open, properties: { file: bytes }, required: ['file'] },
          { $ref: '#/components/schemas/Endless' },
        ],
      },
    },
  },
});

/** A file as its name, media type and content. */
const shown = async (value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map(shown));
  if (!Object.hasOwn(Object(value), 'bytes')) return value;
  const { name, mediaType, bytes: read } = value as UploadedFile;
  return `${name}|${mediaType}|${(await read()).toString('latin1')}`;
};
const take = async ({ body }: { readonly body: object }) => {
  const members = Object.entries(body).map(async ([name, each]) => [name, await shown(each)]);
  return { status: 200, body: Object.fromEntries(await Promise.all(members)) };
};
const server = await serveContract(
  contract,
  Object.fromEntries(Object.keys(media).map((id) => [id, take])),
);
afterAll(() => server.stop());

type Part = readonly [head: string, content?: string];

async function send(path: string, ...parts: readonly Part[]) {
  const lines = parts.map(
    ([head, content = 'x']) =>
      `--b\r\nContent-Disposition: form-data; name=${head}\r\n\r\n${content}\r\n`,
  );
  const response = await fetch(`${server.url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.from(`${lines.join('')}--b--\r\n`, 'latin1'),
  });
  const answer = Object(await response.json());
  return response.status === 200 ? answer : (answer.errors ?? response.status);
}
const fault = (name: string, message: string) => [{ path: `/body/${name}`, message }];
const typed = (name: string, type: string) => `${name}\r\nContent-Type: ${type}`;

describe('a part of a form', () => {
  it.each<[path: string, part: Part, value: unknown]>([
    ['kinds', ['png', '\xff'], { png: '|application/octet-stream|\xff' }],
    ['kinds', ['csv', 'a,b'], { csv: 'a,b' }],
    ['kinds', ['base64', 'eA=='], { base64: 'eA==' }],
    ['kinds', ['text; filename=x', 'x'], { text: 'x' }],
    ['kinds', ['typedText', '\xff'], { typedText: '|image/png|\xff' }],
    ['kinds', ['typedAny', '\xff'], { typedAny: '|image/png|\xff' }],
    ['kinds', ['typedWhole', '7'], { typedWhole: 7 }],
    ['kinds', ['typedMixed', 'x'], { typedMixed: 'x' }],
    ['kinds', ['typedSome', '\xff'], { typedSome: '|application/octet-stream|\xff' }],
    ['kinds', ['typedList', '\xff'], { typedList: ['|image/png|\xff'] }],
    ['kinds', ['any', 'x'], { any: 'x' }],
    ['kinds', [typed('any', 'text/plain')], { any: 'x' }],
    ['kinds', [typed('any', 'image/png'), '\xff'], { any: '|image/png|\xff' }],
    ['kinds', ['any; filename=x.y'], { any: 'x.y|application/octet-stream|x' }],
    ['kinds', [typed('any; filename=x', 'text/csv')], { any: 'x|text/csv|x' }],
    ['kinds', [typed('any', 'application/json'), '[1]'], { any: [1] }],
    ['kinds', ['listless', 'x'], { listless: 'x' }],
    ['nothing', ['x', '1'], { x: '1' }],
    ['nothing', ['x; filename=y', '1'], { x: 'y|application/octet-stream|1' }],
    ['ranged', [typed('picture', 'image/gif')], { picture: '|image/gif|x' }],
    ['ranged', [typed('picture', 'text/html')], fault('picture', 'must be image/*')],
    ['ranged', ['picture'], { picture: '|application/octet-stream|x' }],
    ['ranged', ['exact'], { exact: '|image/png|x' }],
    ['ranged', [typed('exact', 'image/gif')], fault('exact', 'must be image/png')],
    ['ranged', ['several'], { several: '|application/octet-stream|x' }],
    ['ranged', [typed('several', 'image/gif')], { several: '|image/gif|x' }],
    ['ranged', [typed('free', 'text/html')], { free: '|text/html|x' }],
    ['bounded', ['sized', '1'], fault('sized', 'must not have fewer than 2 bytes')],
    ['bounded', ['sized', '12'], { sized: '|application/octet-stream|12' }],
    ['bounded', ['sized', '123'], { sized: '|application/octet-stream|123' }],
    ['bounded', ['sized', '1234'], fault('sized', 'must not have more than 3 bytes')],
    ['others', ['x', '\xff'], { x: '|application/octet-stream|\xff' }],
    ['wholes', ['x', '7'], { x: 7 }],
    ['wholes', ['x', 'y'], fault('x', 'must be integer')],
    ['allOf', ['file', '\xff'], { file: '|application/octet-stream|\xff' }],
    ['anyOf', ['file', '\xff'], { file: '|application/octet-stream|\xff' }],
    ['oneOf', ['file', '\xff'], { file: '|application/octet-stream|\xff' }],
    ['referred', ['file', '\xff'], fault('id', 'is required')],
    ['referred', ['id', '7'], { id: 7 }],
    ['evaluated', ['id', '7'], { id: 7 }],
    ['evaluated', ['x', 'y'], fault('x', 'is not a known property')],
    ['nested', ['lists', '[[],[[]]]'], { lists: [[[], [[]]]] }],
    ['nested', ['lists', '[1]'], fault('lists/0/0', 'must be array')],
    ['styled', ['list', '1,2'], { list: [1, 2] }],
    ['styled', [typed('list', 'application/json'), '[1,2]'], { list: [1, 2] }],
    ['kinds', [typed('text', 'text/plain; charset=us-ascii')], { text: 'x' }],
    ['kinds', [typed('text', 'text/plain; charset=utf8')], { text: 'x' }],
    ['kinds', ['text\r\nContent-Transfer-Encoding: 7bit'], { text: 'x' }],
    ['kinds', ['text\r\nContent-Transfer-Encoding: 8BIT'], { text: 'x' }],
    ['kinds', ['text\r\nContent-Transfer-Encoding: binary'], { text: 'x' }],
    [
      'kinds',
      ['text\r\nContent-Transfer-Encoding: quoted-printable'],
      fault('text', 'must not be sent in quoted-printable'),
    ],
  ])('of /%s: %j', async (path, part, value) => {
    expect(await send(path, part)).toEqual(value);
  });

  it('is one of as many as the list of files may have', async () => {
    const parts = (name: string, count: number) =>
      Array.from({ length: count }, (_, i): Part => [`${name}; filename=${i}`]);
    const counts = async (name: string, count: number) =>
      Object(await send('bounded', ...parts(name, count)))[name]?.length ?? 'refused';
    expect(await Promise.all([1, 2, 3, 4].map((count) => counts('several', count)))).toEqual([
      'refused',
      2,
      3,
      'refused',
    ]);
    expect(await Promise.all([1, 2, 9].map((count) => counts('least', count)))).toEqual([
      'refused',
      2,
      9,
    ]);
  });

  it('is text of up to 262,144 bytes together with the others', async () => {
    const long = 'x'.repeat(262_143);
    const files: Part = ['file; filename=x', 'x'.repeat(300_000)];
    expect(Object.keys(await send('nothing', ['a', long], files, ['b']))).toHaveLength(3);
    expect(await send('nothing', ['a', long], ['b', 'xx'])).toBe(413);
    expect(await send('nothing', ['a', `${long}x`], ['b', ''])).toMatchObject({ b: '' });
  });
});
