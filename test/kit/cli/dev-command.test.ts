// engines: sqlite
// long: starts processes and the compiler
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../tools/support/free-port.ts';

const root = new URL('../../../', import.meta.url).pathname;

const contract = (path: string, operationId: string) => `openapi: 3.1.0
info: { title: Moons, version: 1.0.0 }
paths:
  ${path}:
    get:
      operationId: ${operationId}
      responses:
        '200':
          description: All.
          content: { application/json: { schema: { type: array, items: { type: string } } } }
`;
const handlers = (name: string) => `import type { operations } from '../generated/openapi.d.ts';

type Handlers = { [Id in keyof operations]: () => { status: number; headers: object; body: string[] } };
export const handlers: Handlers = { ${name}: () => ({ status: 200, headers: {}, body: ['Io'] }) };
`;
// A path that the compiler does not follow: it would check all of the kit.
const main = `import { handlers } from './handlers.ts';

const kit: string = '${root}src/kit/process/run.ts';
const { run } = await import(kit);
await run({ openapi: new URL('../moons.yaml', import.meta.url), handlers: () => handlers });
`;
const tsconfig = {
  compilerOptions: {
    ...{ target: 'esnext', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
    ...{ allowImportingTsExtensions: true, types: ['node'] },
  },
};

describe('accord dev', () => {
  it('keeps the server of the last good contract, and serves the next', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dev-'));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    for (const name of ['src', 'generated']) mkdirSync(join(folder, name));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    write('package.json', '{ "type": "module" }');
    write('tsconfig.json', JSON.stringify(tsconfig));
    write('moons.yaml', contract('/moons', 'listMoons'));
    write('generated/openapi.d.ts', 'export interface operations { listMoons: unknown }');
    write('src/handlers.ts', handlers('listMoons'));
    write('src/main.ts', main);
    const port = await freePort();
    const env = { ...process.env, PORT: String(port) };
    const accord = join(root, 'src/kit/cli/accord.ts');
    const child = spawn(process.execPath, [accord, 'dev', '--openapi', 'moons.yaml'], {
      cwd: folder,
      env,
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    const status = async (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        (answer) => answer.status,
        () => 0,
      );
    const until = async (isSo: () => Promise<boolean> | boolean) => {
      while (!(await isSo())) await sleep(50);
    };
    try {
      await until(async () => (await status('/moons')) === 200);
      write('moons.yaml', contract('/moons', 'listMoons').replace('paths:', 'paths: 7\nx:'));
      await until(() => said.includes('the contract is not right yet; the server goes on'));
      expect(said).toMatch(/^moons\.yaml:3:8: /m);
      expect(await status('/moons')).toBe(200);

      write('moons.yaml', contract('/comets', 'listComets'));
      await until(() => said.includes('the types are not right yet; the server goes on'));
      expect(said).toMatch(/^src\/handlers\.ts:4 .*(listComets|listMoons)/m);
      expect([await status('/moons'), await status('/comets')]).toEqual([200, 404]);

      write('src/handlers.ts', handlers('listComets'));
      await until(async () => (await status('/comets')) === 200);
      expect(await status('/moons')).toBe(404);
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    }
  });
});
