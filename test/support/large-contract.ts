import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../src/kit/contract/contract.ts';
import {
  type Document,
  isObject,
  pointer,
  resolve,
  valueAt,
} from '../../src/kit/contract/openapi-document.ts';
import { atOnce, type Spawned, spawnProgram } from '../../tools/support/server-process.ts';

const program = fileURLToPath(new URL('large-contract-server.ts', import.meta.url));
const probes = ['memory-probe', 'event-loop-probe'].map(
  (name) => new URL(`../../tools/support/${name}.ts`, import.meta.url).href,
);

/** Starts a process that serves an OpenAPI description, and an SDL where one is given. */
export function startLarge(
  openapi: string,
  sdl?: string,
  env: Record<string, string> = {},
): Spawned {
  const options = ['--expose-gc', ...probes.flatMap((probe) => ['--import', probe])];
  const files = { OPENAPI: openapi, ...(sdl && { SDL: sdl }) };
  return spawnProgram(program, { ...atOnce, ...files, ...env }, options);
}

export type Asked = { readonly method: string; readonly path: string; readonly body?: string };

/** One request to each path that its contract refuses: a body that is no object, or a method that is not declared. */
export function invalidRequests({ operations }: Contract): Asked[] {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return [...byPath].map(([path, all]) => {
    const taking = all.find(({ bodySchema }) => Object(bodySchema).type === 'object');
    const own = { path: filled(path) };
    return taking ? { ...own, method: taking.method, body: '0' } : { ...own, method: 'TRACE' };
  });
}

/** One request to each operation, with the example of its JSON body. */
export function validRequests({ document, operations }: Contract): Asked[] {
  return operations.map(({ method, path, body }) => {
    const media = body?.content.get('application/json');
    const [example] = Object.values(media?.examples ?? {});
    const value = example ? resolve(document, example).value : (media?.example ?? {});
    return { method, path: filled(path), ...(media && { body: JSON.stringify(value) }) };
  });
}

function filled(path: string): string {
  return path.replaceAll(/\{[^{}]+\}/g, '1');
}

/** Writes a contract with the paths of another that are named, and the components that they refer to. */
export function excerpt(openapi: string, paths: readonly string[]): string {
  const document: Document = JSON.parse(readFileSync(openapi, 'utf8'));
  const components: Record<string, Record<string, unknown>> = {};
  const chosen = Object.fromEntries(paths.map((path) => [path, document.paths[path]]));
  collect(chosen);
  function collect(value: unknown): void {
    if (!isObject(value)) return;
    if (typeof value.$ref === 'string') {
      const [, kind = '', name = ''] = pointer(value.$ref);
      components[kind] ??= {};
      if (!(name in components[kind])) {
        components[kind][name] = valueAt(document, ['components', kind, name]);
        collect(components[kind][name]);
      }
    }
    for (const child of Object.values(value)) collect(child);
  }
  const file = join(mkdtempSync(join(tmpdir(), 'excerpt-')), 'openapi.json');
  const { openapi: version, info, servers } = document;
  writeFileSync(
    file,
    JSON.stringify({ openapi: version, info, servers, paths: chosen, components }),
  );
  return file;
}
