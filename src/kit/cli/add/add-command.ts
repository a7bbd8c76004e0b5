import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { command, WrongUse } from '../command.ts';
import { contractFiles, contractOptions, projectApi } from '../project.ts';
import { draftedFiles } from './drafted-files.ts';
import { fieldOf, namesOf } from './resource-fields.ts';

export const addCommand = command({
  summary: 'drafts a collection: contract, table, migration, handlers',
  help: `accord add <collection> <field:type> … [--singular <name>] [--openapi <file>] [--schema <file>]

Drafts a collection for a person to edit: its operations, schemas and examples in the OpenAPI description, its type and
queries in the SDL. In a project with tables also the table, the migration of both engines, the handlers, the resolvers
and records for the demo; without tables the collection is mocked. It writes nothing unless it can write all of it.

  types        string(200) text integer(1..5) number(0..1) boolean date date-time uuid enum(a|b)
  ?  []        after the type: optional, a list
  <x>Id        an integer of this name refers to the collection of that name
  --singular   the name of one record, where it is not that of the collection without its s

  accord add reviews 'placeId:integer' 'stars:integer(1..5)' 'text:string(2000)?'
`,
  options: { ...contractOptions, singular: { type: 'string' } },
  arguments: 200,
  async run({ singular, ...given }, resource, ...fields) {
    const folder = process.cwd();
    const names = namesOf(resource, singular);
    if (fields.length === 0) throw new WrongUse('needs a field, such as stars:integer(1..5)');
    const contracts = contractFiles(given, folder);
    const api = await projectApi(given, folder);
    const collections = Object.keys(api.tables ?? {});
    const read = fields.map((each) => fieldOf(each, collections));
    const files = await draftedFiles({ folder, contracts, api, names, fields: read });
    const hasScript = hasGenerate(folder);
    writeAll(files, () => hasScript && generate(folder));
    for (const [file, { isNew }] of files) {
      process.stdout.write(`${isNew ? 'wrote' : 'changed'} ${relative(folder, file)}\n`);
    }
    if (hasScript) process.stdout.write('generated the types\n');
    if (!api.tables)
      process.stdout.write(`the ${names.allWords} are mocked until they have handlers\n`);
    process.stdout.write('read what was drafted: the words of the contract are yours to write\n');
  },
});

type Files = Awaited<ReturnType<typeof draftedFiles>>;

/** All files or none: none also where what is done with them fails. */
function writeAll(files: Files, then: () => unknown): void {
  const before = new Map<string, Buffer | undefined>();
  try {
    for (const [file, { text, isNew }] of files) {
      mkdirSync(dirname(file), { recursive: true });
      // What another process has just made is not this one's to remove.
      if (isNew) writeFileSync(file, '', { flag: 'wx' });
      before.set(file, isNew ? undefined : readFileSync(file));
      writeFileSync(file, text);
    }
    then();
  } catch (error) {
    for (const [file, bytes] of before) {
      if (bytes) writeFileSync(file, bytes);
      else rmSync(file, { force: true });
    }
    throw error;
  }
}

function hasGenerate(folder: string): boolean {
  const file = join(folder, 'package.json');
  const scripts = existsSync(file) ? Object(JSON.parse(readFileSync(file, 'utf8')).scripts) : {};
  return typeof scripts.generate === 'string';
}

function generate(folder: string): void {
  try {
    execFileSync('npm', ['run', '--silent', 'generate'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    throw new Error('`npm run generate` failed: nothing was added');
  }
}
