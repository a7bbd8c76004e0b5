// engines: sqlite
// long: compiles
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from '@graphql-codegen/cli';
import { describe, expect, it } from 'vitest';
import config from '../../../codegen.ts';
import { pythonFiles } from '../../../src/kit/cli/sdk/python/python-files.ts';
import { sourcesOf } from '../../../src/kit/cli/sdk/sdk-sources.ts';
import { writeTypescript } from '../../../src/kit/cli/sdk/typescript/typescript-package.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { compileWith } from '../../support/compile.ts';
import { everyFeature } from '../../support/every-feature.ts';

describe('the types of an SDL with every feature', async () => {
  const [output] = Object.values(config.generates);
  // The mappers and the context are those of this repository's API.
  const { mappers: _, contextType: __, scalars, ...given } = Object(Object(output).config);
  const own = {
    BigInt: 'bigint',
    Instant: { input: 'Date', output: 'string' },
    Anything: 'unknown',
  };
  const files = await generate(
    {
      schema: everyFeature,
      generates: {
        'types.ts': { ...Object(output), config: { ...given, scalars: { ...scalars, ...own } } },
      },
      silent: true,
    },
    false,
  );
  const types = String(files[0]?.content);
  const compile = (resolvers: string) =>
    compileWith(
      'test/support/every-feature.ts',
      () => `${types}\nexport const given: Resolvers = ${resolvers};`,
    );

  it('compile, and admit the resolvers that the schema wants', () => {
    expect(
      compile(`{
        Floating: { __resolveType: () => 'Buoy' },
        Reads: { plain: (_, { one }) => one ?? 'TWO', back: (_, { big }) => big },
        Feed: { count: { subscribe: async function* (_, { to }) { yield { count: to }; } } },
      }`),
    ).toEqual([]);
  });

  it.each([
    ['a value that the enum has not', "{ Reads: { plain: () => 'THREE' } }", /THREE/],
    ['a type that the union has not', "{ Floating: { __resolveType: () => 'Sailor' } }", /Sailor/],
    ['a scalar of another type', '{ Ship: { tonnage: () => 1.5 } }', /bigint/],
    ['a subscription without events', '{ Feed: { count: () => 1 } }', /subscribe|not assignable/],
  ])('refuse %s', (_, resolvers, message) => {
    expect(compile(resolvers).join()).toMatch(message);
  });
});

describe('the SDKs of an SDL with every feature', () => {
  const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const plain = `# Ships by many ways.
# variables {"filter": {"text": "x"}, "choice": {"id": "1"}}
query Ships($filter: Filter, $choice: Choice, $big: BigInt, $shade: Shade) {
  echo(filter: $filter, choice: $choice, big: $big, shade: $shade)
  ships { id tonnage launched log shade crew { edges { node { name } } } }
}

# Renames a ship.
# variables {"id": "7", "to": "Ark"}
mutation Rename($id: ID!, $to: String!) { rename(id: $id, to: $to) { name } }
`;
  const abstract = `${plain}
# What floats.
query Floating { floating { ... on Ship { name } ... on Buoy { light } } }
`;
  const sources = (operations: string) =>
    sourcesOf(
      { name: 'every feature', openapi: read('openapi.yaml'), sdl: everyFeature },
      operations,
    );

  it('in TypeScript compile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
    const given = sources(abstract);
    await writeTypescript(modelOf(given), given, folder);
    expect(readFileSync(join(folder, 'dist/graphql.d.ts'), 'utf8')).toContain('floating(');
    rmSync(folder, { recursive: true });
  });

  it('in Python have one class for an interface or a union, whose fields may be missing', () => {
    const given = sources(abstract);
    const text = pythonFiles(modelOf(given), given)['graphql.py'];
    expect(text).toContain('def ships(');
    expect(text).toContain('    name: str | None = field(default=None)\n');
    expect(text).toContain('    light: bool | None = field(default=None)\n');
  });
});
