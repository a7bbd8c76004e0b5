import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { command, WrongUse } from '../command.ts';
import { contractFiles, contractOptions, projectApi, projectManifest } from '../project.ts';
import { writeAllOrNone } from './all-or-none.ts';
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
    writeAllOrNone(
      files,
      () => hasScript && generateOrFail(folder),
      () => hasScript && generateAgain(folder),
    );
    for (const [file, { before }] of files) {
      process.stdout.write(
        `${before === undefined ? 'wrote' : 'changed'} ${relative(folder, file)}\n`,
      );
    }
    if (hasScript) process.stdout.write('generated the types\n');
    if (!api.tables)
      process.stdout.write(`the ${names.allWords} are mocked until they have handlers\n`);
    process.stdout.write('read what was drafted: the words of the contract are yours to write\n');
  },
});

function hasGenerate(folder: string): boolean {
  return typeof Object(projectManifest(folder).scripts).generate === 'string';
}

function generate(folder: string, errors: 'inherit' | 'ignore'): void {
  execFileSync('npm', ['run', '--silent', 'generate'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', errors],
  });
}

function generateOrFail(folder: string): void {
  try {
    generate(folder, 'inherit');
  } catch {
    throw new Error('`npm run generate` failed: nothing was added');
  }
}

/** The types of the contracts as they were, as far as they can be generated. */
function generateAgain(folder: string): void {
  try {
    generate(folder, 'ignore');
  } catch {
    // It has been said that it fails.
  }
}
