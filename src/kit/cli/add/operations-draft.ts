import { EXAMPLES, exampleFields } from './openapi-draft.ts';
import type { Field, Names } from './resource-fields.ts';

/** Adds the queries of a collection to a file of example operations, with what they are answered. */
export function withExamples(text: string, names: Names, fields: readonly Field[]): string {
  const { type, types, one, many, words, allWords } = names;
  const selected = ['id', ...fields.map(({ name }) => name)];
  const record = (i: number) => ({ id: String(i), ...shown(fields, i) });
  const all = Array.from({ length: EXAMPLES }, (_, i) => record(i + 1));
  const lines = (indent: string) => selected.map((name) => `${indent}${name}`).join('\n');
  const added = [
    `# All ${allWords}.`,
    `# answers ${JSON.stringify({ [many]: all })}`,
    `query ${types} {\n  ${many} {\n${lines('    ')}\n  }\n}`,
    '',
    `# One ${words}.`,
    '# variables {"id": "2"}',
    `# answers ${JSON.stringify({ [one]: record(2) })}`,
    `query ${type}($id: ID!) {\n  ${one}(id: $id) {\n${lines('    ')}\n  }\n}`,
  ];
  return `${text.trimEnd()}\n\n${added.join('\n')}\n`;
}

/** Ids are text in GraphQL. */
function shown(fields: readonly Field[], i: number): Record<string, unknown> {
  const values = exampleFields(fields, i);
  for (const { name, references } of fields) if (references) values[name] = String(values[name]);
  return values;
}
