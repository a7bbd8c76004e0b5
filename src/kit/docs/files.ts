import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const own = [
  'site.css',
  'status.js',
  'icon.svg',
  'rest.css',
  'rest.js',
  'graphiql.css',
  'graphiql.js',
];

const packaged = [
  ['swagger-ui-dist', 'swagger-ui.css'],
  ['swagger-ui-dist', 'swagger-ui-bundle.js'],
  ['react', 'umd/react.production.min.js'],
  ['react-dom', 'umd/react-dom.production.min.js'],
  // Whole, with all that it imports: the overrides in package.json spare the installation those packages.
  ['graphiql', 'graphiql.min.js'],
  ['graphiql', 'graphiql.min.css'],
] as const;

const { resolve } = createRequire(import.meta.url);

/** Where each file that a page may ask for is; nothing else on the disk can be asked for. */
export const files: ReadonlyMap<string, () => string> = new Map([
  ...own.map((name) => [name, () => assetPath(name)] as const),
  ...packaged.map(
    ([name, path]) => [path.replace('umd/', ''), () => packagePath(name, path)] as const,
  ),
]);

function assetPath(name: string): string {
  return fileURLToPath(new URL(`./assets/${name}`, import.meta.url));
}

function packagePath(name: string, path: string): string {
  return resolve(`${name}/package.json`).replace(/package\.json$/, path);
}
