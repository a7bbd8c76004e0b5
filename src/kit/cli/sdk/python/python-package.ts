import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Model } from '../../../sdk/model.ts';
import { createTypes } from '../../../sdk/python/python-models.ts';
import { moduleName } from '../../../sdk/python/python-sample.ts';
import type { Sources } from '../sdk-sources.ts';
import { pythonFiles } from './python-files.ts';
import { readme } from './python-readme.ts';

const runtime = new URL('./runtime/', import.meta.url);

/** Writes the Python project: what pip makes a wheel of. */
export function writePython(model: Model, sources: Sources, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const types = createTypes(model);
  const module = `src/${moduleName(model)}`;
  for (const name of readdirSync(runtime).filter((each) => each.endsWith('.py'))) {
    write(`${module}/${name}`, readFileSync(new URL(name, runtime), 'utf8'));
  }
  for (const [name, text] of Object.entries(pythonFiles(model, sources, types))) {
    write(`${module}/${name}`, text);
  }
  write('pyproject.toml', project(model));
  write('README.md', readme(model, sources, types));
  if (existsSync('LICENSE')) write('LICENSE', readFileSync('LICENSE', 'utf8'));
}

function project(model: Model): string {
  const module = moduleName(model);
  // The build refuses what is no SPDX expression.
  const license = /^[A-Za-z0-9.+-]+$/.test(model.license ?? '')
    ? `license = "${model.license}"\n`
    : '';
  return `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "${model.packageName}"
version = "${model.packageVersion}"
description = ${JSON.stringify(model.summary.replaceAll(/\s+/g, ' ').trim())}
readme = "README.md"
${license}requires-python = ">=3.11"
dependencies = ["httpx>=0.27,<1"]
classifiers = ["Typing :: Typed"]

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
${module} = ["py.typed"]
`;
}
