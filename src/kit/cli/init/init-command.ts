import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readContract } from '../../contract/contract.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { command, WrongUse } from '../command.ts';
import { type ContractFiles, contractFiles, contractOptions } from '../project.ts';
import { type ContractCopy, copyOpenapi, copySchema } from './contract-copy.ts';
import { exampleHandler } from './example-handler.ts';
import { exampleResolver } from './example-resolver.ts';
import { writeGenerated } from './generated-files.ts';
import { projectFiles } from './project-files.ts';
import { isRepository, projectManifest } from './project-manifest.ts';

export const initCommand = command({
  summary: 'makes a project of your contracts, which serves at once',
  help: `accord init <folder> [--openapi <file>] [--schema <file>] [--kit <accord-….tgz>]

Makes a project that serves the contracts: everything is mocked but one handler and one resolver, as examples. Without
contracts it makes a small example of both. No file is overwritten. --kit is the package to depend on, where it is not
in a registry.

  accord init my-api --openapi openapi.yaml --schema schema.graphql
  cd my-api && npm install && npm start
`,
  options: { ...contractOptions, kit: { type: 'string' } },
  arguments: 1,
  async run({ kit, ...given }, folder) {
    if (folder === undefined) throw new WrongUse('takes a folder');
    if (kit !== undefined && !existsSync(kit)) throw new WrongUse(`there is no file ${kit}`);
    await init(resolve(folder), given, kit);
  },
});

const example = (name: string) => fileURLToPath(new URL(`./example/${name}`, import.meta.url));

async function init(folder: string, given: ContractFiles, kit?: string): Promise<void> {
  const isGiven = given.openapi !== undefined || given.schema !== undefined;
  const from = isGiven
    ? contractFiles(given)
    : { openapi: example('openapi.yaml'), schema: example('schema.graphql') };
  const rest = from.openapi === undefined ? undefined : await readRest(from.openapi);
  const graphql = from.schema === undefined ? undefined : readGraphql(from.schema);
  const contracts = {
    ...(rest && { openapi: rest.copy.path }),
    ...(graphql && { schema: graphql.copy.path }),
  };
  const manifest = projectManifest(folder, contracts, kit);
  const files = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    ...projectFiles({
      name: basename(folder),
      contracts,
      handler: rest && exampleHandler(rest.contract),
      resolver: graphql && exampleResolver(graphql.schema),
      doubts: [...(rest?.doubts ?? []), ...(graphql?.doubts ?? [])],
    }),
    ...rest?.copy.files,
    ...graphql?.copy.files,
  };
  const kept = write(folder, files, Object.values(from));
  await writeGenerated(folder, contracts);
  say(folder, kept, kit);
}

/** A contract as a project serves it: what is doubtful in it does not stop its start. */
async function readRest(file: string) {
  const url = pathToFileURL(file);
  const isSound = await readContract(url).then(
    () => true,
    () => false,
  );
  const contract = await readContract(url, { lenient: true });
  // What it refers to can be read: the reader has tried.
  const copy = copyOpenapi(file);
  return { copy, contract, doubts: isSound ? [] : contract.warnings };
}

function readGraphql(file: string) {
  const copy: ContractCopy = copySchema(file);
  const doubts: string[] = [];
  const sdl = Object.values(copy.files).join('');
  const { schema } = readSdl(sdl, basename(file), (line) => doubts.push(line));
  return { copy, schema, doubts };
}

/** Files that a folder may have already. */
const keepable = ['README.md', '.gitignore'];

/** Writes all files or none; gives those that were there already and stay. */
function write(
  folder: string,
  files: Readonly<Record<string, string>>,
  contracts: readonly string[],
): string[] {
  const there = [...Object.keys(files), 'generated'].filter((name) =>
    existsSync(join(folder, name)),
  );
  const isKept = (name: string) =>
    keepable.includes(name) || contracts.some((each) => resolve(each) === join(folder, name));
  const first = there.find((name) => !isKept(name));
  if (first !== undefined) {
    const place = shown(join(folder, first));
    throw new WrongUse(
      `${place} is there already, and nothing is overwritten: name another folder`,
    );
  }
  for (const [name, text] of Object.entries(files)) {
    if (there.includes(name)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { flag: 'wx' });
  }
  return there;
}

function say(folder: string, kept: readonly string[], kit: string | undefined): void {
  const place = shown(folder);
  const lines = [
    ...kept.map((name) => `${join(place, name)} was there already and stays as it is.`),
    ...(isRepository && kit === undefined
      ? ['The project asks the registry for accord. For one from here: npm run pack, and --kit.']
      : []),
    `${place} is ready:`,
    ...(place === '.' ? [] : [`  cd ${place}`]),
    '  npm install',
    '  npm start        # http://127.0.0.1:3000/docs',
    '  npm run dev      # while you write src/handlers.ts and src/resolvers.ts',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** A path as one would write it here. */
function shown(path: string): string {
  const place = relative(process.cwd(), path) || '.';
  return place.startsWith('..') ? path : place;
}
