// long: compiles the project
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { contractTypes } from '../../src/kit/cli/generate/contract-types.ts';
import { parseContract } from '../../src/kit/contract/contract.ts';
import { compileFiles } from '../support/compile.ts';

const readme = readFileSync('README.md', 'utf8');
const [, section = ''] = readme.split('## Your own contracts\n');
const [openapi = '', sdl = '', main = ''] = [...section.matchAll(/```\w+\n([\s\S]*?)```/g)].map(
  ([, text]) => String(text),
);

describe('the example of the README with contracts of one’s own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pets-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('compiles', async () => {
    const types = await contractTypes(await parseContract(openapi));
    const files = { 'pets/generated/openapi.d.ts': types, 'pets/main.ts': main };
    expect(compileFiles(files)).toEqual([]);
  });

  it('serves', async () => {
    mkdirSync(join(folder, 'pets'));
    for (const name of ['src', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
    writeFileSync(join(folder, 'pets/openapi.yaml'), openapi);
    writeFileSync(join(folder, 'pets/schema.graphql'), sdl);
    writeFileSync(join(folder, 'pets/main.ts'), main);
    const env = { PATH: process.env.PATH, PORT: '0', PETS_KEY: 'secret' };
    const child = spawn(process.execPath, [join(folder, 'pets/main.ts')], { env });
    try {
      let output = '';
      while (!output.includes('Accord is at ')) output += String(await once(child.stdout, 'data'));
      const [, url = ''] = output.match(/Accord is at ([^\s"]+)/) ?? [];
      const ask = async (path: string, init?: RequestInit) => {
        const answer = await fetch(url + path, init);
        return { status: answer.status, text: await answer.text() };
      };
      const put = (key: string, body: string) =>
        ask('/pets/1', {
          method: 'PUT',
          headers: { 'x-key': key, 'content-type': 'application/json' },
          body,
        });
      expect(await ask('/pets/1')).toEqual({ status: 200, text: '{"id":1,"name":"Rex"}' });
      expect((await ask('/pets/2')).status).toBe(404);
      expect((await ask('/pets/x')).status).toBe(400);
      expect((await put('wrong', '{"name":"Tom"}')).status).toBe(401);
      expect((await put('secret', '{"name":""}')).status).toBe(400);
      expect((await put('secret', '{"name":"Tom"}')).status).toBe(204);
      const query = { query: '{ pet(id: 1) { name } }' };
      const graphql = await ask('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(query),
      });
      expect(graphql).toEqual({ status: 200, text: '{"data":{"pet":{"name":"Tom"}}}' });
      for (const path of [
        '/docs',
        '/healthz',
        '/readyz',
        '/metrics',
        '/openapi.yaml',
        '/openapi.json',
        '/schema.graphql',
      ]) {
        expect((await ask(path)).status, path).toBe(200);
      }
    } finally {
      child.kill();
    }
  });
});
