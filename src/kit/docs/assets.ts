import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reply } from '../http/exchange.ts';
import { type Asked, createStaticFile } from './static-file.ts';

const folder = new URL('./assets/', import.meta.url);

const packaged = [
  ['react', 'umd/react.production.min.js'],
  ['react-dom', 'umd/react-dom.production.min.js'],
  // Whole, with all that it imports: the overrides in package.json spare the installation those packages.
  ['graphiql', 'graphiql.min.js'],
  ['graphiql', 'graphiql.min.css'],
] as const;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const { resolve } = createRequire(import.meta.url);

/** The files that a page may load, by path; nothing else on the disk can be asked for. */
export function createAssets(): ReadonlyMap<string, (asked: Asked) => Promise<Reply>> {
  const paths: readonly (readonly [name: string, path: () => string])[] = [
    ...readdirSync(folder)
      .filter((name) => extname(name) in types)
      .map((name) => [name, () => fileURLToPath(new URL(name, folder))] as const),
    ...packaged.map(
      ([name, path]) => [path.replace('umd/', ''), () => packagePath(name, path)] as const,
    ),
  ];
  return new Map(
    paths.map(([name, path]) => [
      `/docs/assets/${name}`,
      createStaticFile(path, String(types[extname(name)])),
    ]),
  );
}

function packagePath(name: string, path: string): string {
  return resolve(`${name}/package.json`).replace(/package\.json$/, path);
}
