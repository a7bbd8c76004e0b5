import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContractFiles } from '../project.ts';

/** Where the kit's own package.json is, in this repository and in the package. */
const kit = fileURLToPath(new URL('../../../../', import.meta.url));

type Versions = Readonly<Record<string, string>>;
type KitManifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly overrides: Readonly<Record<string, unknown>>;
};

/** The package.json of a project. */
export function projectManifest(
  folder: string,
  { openapi, schema }: ContractFiles,
  tarball: string | undefined,
): object {
  // Written by `npm pack`, or this repository's own.
  const own = JSON.parse(readFileSync(join(kit, 'package.json'), 'utf8')) as KitManifest;
  const known: Versions = { ...own.devDependencies, ...own.peerDependencies, ...own.dependencies };
  const versions = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, known[name] ?? '*']));
  const generate = [
    ...(openapi ? [['accord generate', '--check']] : []),
    ...(schema ? [['graphql-codegen --config codegen.ts', '--check']] : []),
  ];
  const codegen = ['cli', 'typescript', 'typescript-resolvers'];
  const { '@graphql-tools/batch-execute': batch, graphiql } = own.overrides;
  return {
    name: packageName(folder),
    version: '0.1.0',
    private: true,
    type: 'module',
    accord: { ...(openapi && { openapi }), ...(schema && { schema }), api: 'src/api.ts' },
    scripts: {
      // The shell of npm passes no signal on, so it is replaced (exec.cmd on Windows).
      start: 'exec node src/main.ts',
      dev: 'exec accord dev',
      generate: generate.map(([command]) => command).join(' && '),
      check: [...generate.map((each) => each.join(' ')), 'tsc'].join(' && '),
      test: 'node --test "test/**/*.test.ts"',
    },
    dependencies: { [own.name]: kitSource(own, folder, tarball), ...versions('graphql', 'node') },
    devDependencies: {
      ...(schema && versions(...codegen.map((name) => `@graphql-codegen/${name}`))),
      '@types/node': '^24.0.0',
      ...(openapi && versions('openapi-typescript')),
      ...versions('recheck', 'typescript'),
    },
    // The docs page needs none of the packages that its script was built from.
    overrides: { ...(schema && { '@graphql-tools/batch-execute': batch }), graphiql },
    allowScripts: { node: true },
  };
}

/** Whether the kit runs from the sources of its repository. */
export const isRepository = import.meta.url.endsWith('.ts');

/** The version of the kit, or the tarball that it was installed from. */
function kitSource(own: KitManifest, folder: string, tarball: string | undefined): string {
  const file = tarball ?? installedFrom();
  if (file === undefined) return `^${own.version}`;
  return `file:${relative(folder, resolve(file)).split(sep).join('/')}`;
}

/** npm records it in the folder that it installs into. */
function installedFrom(): string | undefined {
  const folder = dirname(dirname(kit));
  const lock = join(dirname(kit), '.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const { resolved } = Object(
    JSON.parse(readFileSync(lock, 'utf8')).packages['node_modules/accord'],
  );
  const [, path] = String(resolved).match(/^file:(.+\.tgz)$/) ?? [];
  const file = path && resolve(folder, path);
  return file && existsSync(file) ? file : undefined;
}

function packageName(folder: string): string {
  const name = resolve(folder).split(sep).at(-1) ?? '';
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '-');
  return plain.replace(/^[._-]+/, '') || 'api';
}
