import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** A contract that is not ours, from a package. */
export type ForeignContract = { readonly name: string; readonly file: URL };

const root = new URL('../../node_modules/', import.meta.url).pathname;
const places = ['@readme/oas-examples/{2.0,3.0,3.1}', '@scalar/galaxy/dist'];

/** Every description in `@readme/oas-examples` and `@scalar/galaxy`; most stand there in JSON and in YAML. */
export function foreignContracts(): ForeignContract[] {
  const patterns = places.map((place) => `${place}/**/*.{json,yaml}`);
  return globSync(patterns, { cwd: root })
    .toSorted()
    .map((path) => ({
      name: path.replace(/^@(readme|scalar)\//, '').replace('/dist/', '/'),
      file: pathToFileURL(root + path),
    }));
}

/** The one in YAML that is not as in JSON. */
const DIFFERENT = 'oas-examples/3.1/yaml/parameters-style.yaml';

/** Those of OpenAPI 3, each in one form. */
export function distinctContracts(): ForeignContract[] {
  // `latest` is the newest version of the galaxy once more.
  return foreignContracts().filter(
    ({ name }) => name === DIFFERENT || (/\.json$/.test(name) && !/\/2\.0\/|\/latest\./.test(name)),
  );
}
