import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import { type Api, tablesOf } from '../../api-declaration.ts';
import { parseContract, readContract } from '../../contract/contract.ts';
import type { Document } from '../../contract/openapi-document.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { draftMigration } from '../../store/migration-draft.ts';
import { collection } from '../../store/table-declarations.ts';
import { parity } from '../contract/parity.ts';
import { apiFile, type ContractFiles } from '../project.ts';
import type { Draft } from './all-or-none.ts';
import { columnType } from './field-forms.ts';
import { withCollection } from './openapi-draft.ts';
import { withExamples } from './operations-draft.ts';
import type { Field, Names } from './resource-fields.ts';
import { withType } from './sdl-draft.ts';
import { createSourceEdits, type SourceEdits } from './source-edits.ts';
import { insertMembers } from './yaml-insert.ts';

type Parts = {
  readonly folder: string;
  readonly contracts: ContractFiles;
  readonly api: Api;
  readonly names: Names;
  readonly fields: readonly Field[];
};

/** All files that a new collection needs, as they are to be; throws where one of them cannot be written. */
export async function draftedFiles(parts: Parts): Promise<Map<string, Draft>> {
  const { contracts, api, names, fields, folder } = parts;
  const files = new Map<string, Draft>();
  const put = (file: string, before: string, text: string) => {
    if (text !== before) files.set(file, { before, text: withEndings(before, text) });
  };
  const change = (file: string, edit: (text: string) => string) => {
    const before = readFileSync(file, 'utf8');
    put(file, before, edit(before));
  };
  const { schema: sdlFile, openapi } = contracts;
  const sdlBefore = sdlFile ? readFileSync(sdlFile, 'utf8') : '';
  const sdl = sdlFile ? sdlOf(sdlBefore, basename(sdlFile), parts) : undefined;
  if (sdlFile && sdl) put(sdlFile, sdlBefore, sdl.text);
  if (openapi) {
    const before = readFileSync(openapi, 'utf8');
    put(openapi, before, await openapiOf(before, openapi, parts, sdl?.schema));
  }
  const operations = join(folder, 'operations.graphql');
  if (sdl && api.tables && existsSync(operations)) {
    change(operations, (text) => withExamples(text, names, fields));
  }
  if (api.tables) await addSources(parts, change);
  for (const [file, text] of migrationOf(parts)) files.set(file, { text, before: undefined });
  return files;
}

async function openapiOf(
  before: string,
  file: string,
  { api, names, fields }: Parts,
  schema: GraphQLSchema | undefined,
): Promise<string> {
  const { lenient = false, formats = {} } = api;
  const { document } = await readContract(pathToFileURL(file), { lenient, formats });
  const text = withCollection(before, document, names, fields);
  // What was drafted is held to what every contract is held to.
  const made = await parseContract(text, basename(file), { lenient, formats }).catch((error) => {
    // References to other files are read when it is there.
    if (/\$ref|reference/.test(String(error))) return undefined;
    throw error;
  });
  return made && schema ? withReasons(text, made.document, schema, names) : text;
}

/** Says why the two contracts differ where their types cannot be the same. */
function withReasons(
  text: string,
  document: Document,
  schema: GraphQLSchema,
  { type }: Names,
): string {
  const found = parity(document, schema).filter(({ entity, reason }) => entity === type && !reason);
  const reasons = found.map(({ field, message }) => [field, `It ${message}.`] as const);
  if (reasons.length === 0) return text;
  return insertMembers(text, ['components', 'schemas', type], {
    'x-parity': Object.fromEntries(reasons),
  });
}

function sdlOf(before: string, file: string, { api, names, fields }: Parts) {
  const read = (sdl: string) => readSdl(sdl, file, api.lenient ? () => {} : undefined);
  read(before);
  const text = withType(before, names, fields, { mutations: !api.tables });
  return { text, schema: read(text).schema };
}

/** With the line endings of a text that has no others. */
function withEndings(before: string, text: string): string {
  const isWindows = before.includes('\r\n') && !/(?<!\r)\n/.test(before);
  return isWindows ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

type Change = (file: string, edit: (text: string) => string) => void;

/** The files beside the module that exports the API. */
async function addSources({ folder, names, fields, contracts }: Parts, change: Change) {
  const { default: compiler } = await import('typescript');
  const edits: SourceEdits = createSourceEdits(compiler, names, fields);
  const api = apiFile(folder);
  if (!api) throw new Error('package.json names no module that exports `api` under accord.api');
  const edit = (file: string, of: keyof SourceEdits, isNeeded: boolean) => {
    const shown = relative(folder, file);
    if (existsSync(file)) change(file, (text) => edits[of](shown, text));
    else if (isNeeded) throw new Error(`there is no ${shown}: add the ${names.path} by hand`);
  };
  const beside = (name: string) => join(dirname(api), name);
  edit(beside('tables.ts'), 'tables', true);
  if (contracts.openapi) edit(beside('handlers.ts'), 'handlers', true);
  if (contracts.schema) edit(beside('resolvers.ts'), 'resolvers', true);
  edit(beside('demo.ts'), 'demo', false);
  if (contracts.schema) edit(join(folder, 'codegen.ts'), 'codegen', false);
}

function migrationOf({ api, names, fields }: Parts): [file: string, text: string][] {
  const declared = tablesOf(api);
  if (!declared) return [];
  const columns = Object.fromEntries(
    fields.map((field) => {
      const { references: table } = field;
      const references = table && { table, onDelete: 'cascade' };
      return [field.name, { type: columnType(field), ...(references && { references }) }];
    }),
  );
  // The compiler knows no record for a table that is drafted.
  const table = collection(columns as never);
  const tables = { ...declared.tables, [names.many]: table };
  const draft = draftMigration({ ...declared, tables }, names.path);
  if (!draft) return [];
  return (['sqlite', 'postgres'] as const).map((engine) => [
    fileURLToPath(new URL(`${engine}/${draft.file}`, declared.migrations)),
    draft[engine],
  ]);
}
