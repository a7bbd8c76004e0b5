/** What only the commands need: a project has those that it uses as development dependencies. */
export const neededByCommands = [
  '@graphql-codegen/cli',
  '@graphql-codegen/typescript',
  '@graphql-codegen/typescript-operations',
  '@graphql-codegen/typescript-resolvers',
  '@graphql-inspector/core',
  'openapi-typescript',
  'recheck',
  'refa',
  'typescript',
];

type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
};

/** The package.json of the package, from that of this repository. */
export function packageManifest(own: Manifest): object {
  const { name, version, description, license, type, engines, dependencies, overrides } = own;
  const peers = neededByCommands.map((each) => [each, own.devDependencies[each]] as const);
  return {
    ...{ name, version, description, license, type, engines },
    bin: { accord: 'dist/kit/cli/launcher.js' },
    exports: {
      '.': { types: './dist/kit/public.d.ts', default: './dist/kit/public.js' },
      './testing': {
        types: './dist/kit/cli/test/testing.d.ts',
        default: './dist/kit/cli/test/testing.js',
      },
      './package.json': './package.json',
    },
    files: ['dist'],
    dependencies,
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries(peers.map(([each]) => [each, { optional: true }])),
    // npm heeds those of a project alone: `accord init` writes them there.
    overrides,
  };
}
