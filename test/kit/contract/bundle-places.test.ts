import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readContract } from '../../../src/kit/contract/contract.ts';

const root = mkdtempSync(join(tmpdir(), 'bundle-places-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A contract whose path /a answers with a schema, and other files. */
function read(schema: string, files: Readonly<Record<string, string>>, lenient = false) {
  const folder = mkdtempSync(join(root, 'contract-'));
  const api = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      responses:
        '200':
          description: ''
          content:
            application/json:
              schema: ${schema}
${files['more of openapi.yaml'] ?? ''}`;
  for (const [name, text] of Object.entries({ ...files, 'openapi.yaml': api })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return readContract(pathToFileURL(join(folder, 'openapi.yaml')), { lenient });
}
const to = (ref: string) => `{ $ref: '${ref}' }`;
const unknown = 'unknown keyword "minimun" in a schema; did you mean "minimum"?';

describe('a fault in a contract of several files is told where it stands:', () => {
  type Row = [what: string, schema: string, files: Record<string, string>, line: string];
  it.each<Row>([
    ['in a part of a file', to('b.yaml#/B'), { 'b.yaml': 'B:\n  minimun: 1\n' }, 'b.yaml:2:3'],
    [
      'beside data that look like a reference',
      to('b.yaml#/B'),
      { 'b.yaml': `B:\n  const: ${to('none.yaml')}\n  minimun: 1\n` },
      'b.yaml:3:3',
    ],
    ['in a whole file', to('B.yaml'), { 'B.yaml': 'minimun: 1\n' }, 'B.yaml:1:1'],
    ['in JSON', to('b.json#/B'), { 'b.json': '{\n "B": { "minimun": 1 } }' }, 'b.json:2:9'],
    ['in a folder', to('x/b.yaml#/B'), { 'x/b.yaml': 'B: { minimun: 1 }\n' }, 'x/b.yaml:1:6'],
    [
      'behind a reference from folder to folder',
      to('x/b.yaml#/B'),
      {
        'x/b.yaml': `B: { properties: { c: ${to('../y/c.yaml#/C')} } }`,
        'y/c.yaml': 'C:\n minimun: 1',
      },
      'y/c.yaml:2:2',
    ],
    [
      'behind a reference within a file',
      to('b.yaml#/B'),
      { 'b.yaml': `B: { not: ${to('#/parts/C')} }\nparts:\n  C: { minimun: 1 }` },
      'b.yaml:3:8',
    ],
    [
      'in a file with a space in its name',
      to('my b.yaml#/B'),
      { 'my b.yaml': 'B: { minimun: 1 }' },
      'my b.yaml:1:6',
    ],
    [
      'in the first file',
      `{ allOf: [${to('b.yaml#/B')}, { minimun: 1 }] }`,
      { 'b.yaml': 'B: {}' },
      'openapi.yaml:11:58',
    ],
    [
      'in a component of the first file',
      to('b.yaml#/B'),
      {
        'b.yaml': 'B: {}',
        'more of openapi.yaml': 'components: { schemas: { C: { minimun: 1 } } }',
      },
      'openapi.yaml:12:31',
    ],
    [
      'in a path of another file',
      '{}',
      {
        'more of openapi.yaml': `  /b: ${to('b.yaml')}\n`,
        'b.yaml':
          "get:\n  responses: { '200': { description: '', content: { a/b: { schema: { minimun: 1 } } } } }",
      },
      'b.yaml:2:70',
    ],
  ])('%s', async (_, schema, files, place) => {
    await expect(read(schema, files)).rejects.toThrow(new Error(`${place}: ${unknown}`));
    const { warnings } = await read(schema, files, true);
    expect(warnings).toEqual([`${place}: ${unknown}`]);
  });

  it('behind up to 1000 references in a row; more are taken to lead back to themselves', async () => {
    const chain = (length: number) => {
      const links = Array.from({ length }, (_, i) => `P${i}: ${to(`#/P${i + 1}`)}\n`).join('');
      const item = "{ get: { responses: { '200': { description: 1 } } } }";
      return {
        'more of openapi.yaml': `  /b: ${to('b.yaml#/P1')}\n`,
        'b.yaml': `${links}P${length}:\n  ${item}\n`,
      };
    };
    await expect(read('{}', chain(1000))).rejects.toThrow('b.yaml:1002:47: found 1, expected');
    await expect(read('{}', chain(1001))).rejects.toThrow(
      'openapi.yaml:12:15: found "b.yaml#/P1", expected one that does not lead back to itself',
    );
  });

  it('in the first file, where two others have a part of that name', async () => {
    const schema = `{ allOf: [${to('b.yaml#/B')}, ${to('c.yaml#/B')}] }`;
    const files = { 'b.yaml': 'B: { type: string }', 'c.yaml': 'B: { minimun: 1 }' };
    await expect(read(schema, files)).rejects.toThrow(
      /^(openapi|c)\.yaml:\d+:\d+: unknown keyword/,
    );
  });
});

describe('a reference is refused', () => {
  it.each([
    [
      'to a file that is not there',
      to('none.yaml#/B'),
      {},
      /^openapi\.yaml:11:31: found "none\.yaml#\/B", which is not there; expected a file$/,
    ],
    [
      'to a part that is not there',
      to('b.yaml#/C'),
      { 'b.yaml': 'B: {}' },
      /^openapi\.yaml:11:31: found "b\.yaml#\/C", which is not there; did you mean "B"\?$/,
    ],
    [
      'to itself',
      to('b.yaml#/B'),
      { 'b.yaml': `B: ${to('#/B')}` },
      /^openapi\.yaml:11:31: found "b\.yaml#\/B", expected one that does not lead back to itself$/,
    ],
    [
      'to itself by way of another file',
      to('b.yaml#/B'),
      {
        'b.yaml': `A: ${to('c.yaml#/C')}\nB: { not: ${to('#/A')} }`,
        'c.yaml': `C: ${to('b.yaml#/A')}`,
      },
      /^b\.yaml:2:19: found "#\/A", expected one that does not lead back to itself$/,
    ],
  ])('%s', async (_, schema, files, line) => {
    await expect(read(schema, files)).rejects.toThrow(line);
  });

  it('with $self beside it', async () => {
    const files = { 'b.yaml': 'B: {}', 'more of openapi.yaml': '$self: https://a.example' };
    await expect(read(to('b.yaml#/B'), files)).rejects.toThrow(
      'openapi.yaml:12:1: "$self" of a description with references to others is not supported',
    );
  });

  it('not where parts hold themselves', async () => {
    const files = {
      'b.yaml': `B: { properties: { b: ${to('#/B')}, c: ${to('c.yaml')} } }`,
      'c.yaml': 'type: string',
    };
    const { operations, schemas, warnings } = await read(to('b.yaml#/B'), files);
    const schema = operations[0]?.responses.get('200')?.content?.['application/json']?.schema;
    const validate = schemas(schema ?? false);
    expect([validate({ b: { c: 'a' } }), validate({ b: { b: { c: 1 } } })]).toEqual([true, false]);
    expect(warnings).toEqual([]);
  });
});
