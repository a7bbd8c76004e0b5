import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sources } from '../contracts.ts';
import { namedOperations } from '../graphql-operations.ts';
import { type Model, packageName } from '../model.ts';
import { moduleName, pythonFiles } from './files.ts';
import { readme } from './readme.ts';

const runtime = new URL('./runtime/', import.meta.url);
const license = new URL('../../../../../LICENSE', import.meta.url);

/** Writes the Python project: what pip makes a wheel of. */
export function writePython(model: Model, sources: Sources, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const module = `src/${moduleName(model)}`;
  for (const name of readdirSync(runtime).filter((each) => each.endsWith('.py'))) {
    write(`${module}/${name}`, readFileSync(new URL(name, runtime), 'utf8'));
  }
  for (const [name, text] of Object.entries(pythonFiles(model, sources))) {
    write(`${module}/${name}`, text);
  }
  write('pyproject.toml', project(model));
  write('README.md', readme(model, namedOperations(sources).operations));
  write('LICENSE', readFileSync(license, 'utf8'));
}

function project(model: Model): string {
  const module = moduleName(model);
  return `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "${packageName(model)}"
version = "${model.version}"
description = ${JSON.stringify(model.summary)}
readme = "README.md"
license = "MIT"
requires-python = ">=3.11"
dependencies = ["httpx>=0.27,<1"]
classifiers = ["Typing :: Typed"]

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
${module} = ["py.typed"]
`;
}
