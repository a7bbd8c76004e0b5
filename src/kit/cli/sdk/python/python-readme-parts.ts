import { writeOf } from '../../../sdk/call-traits.ts';
import type { Group } from '../../../sdk/groups.ts';
import type { Model } from '../../../sdk/model.ts';
import { iterationName, snakeCase } from '../../../sdk/names.ts';
import { fieldName, methodText } from '../../../sdk/python/text.ts';
import { nameOf } from '../../../sdk/schema.ts';
import type { NamedOperation } from '../graphql-operations.ts';

export const resent = `## What is sent again

A request that got no answer, or 408, 429, 502, 503 or 504, is sent again up to three times, after what
\`Retry-After\` says or else after a growing, random while. It must be safe: reads, PUT and DELETE are; a
POST is where the contract takes an \`Idempotency-Key\`, which is then sent by itself, so that one record is made
however often it arrives. A write with \`if_match\` is sent again only when the server says that nothing was
changed, and a GraphQL mutation is not.

When the server enforces other contracts than these (\`Contract-Digest\`), there is one
\`ContractMismatchWarning\`.
`;

/** A table of all methods. */
export function everything(
  model: Model,
  api: string,
  operations: readonly NamedOperation[],
): string {
  const groups = model.groups
    .filter(({ calls }) => calls.length > 0)
    .map((each) => table(api, each));
  const parts = [...groups, ...functions(api, operations)];
  return `## Everything\n\nEvery method that is answered with headers has a twin with \`_with_response\` in its name.\n\n${parts.join('\n\n')}\n`;
}

function functions(api: string, operations: readonly NamedOperation[]): string[] {
  if (operations.length === 0) return [];
  const rows = operations.map(({ name, kind, about, node }) => {
    const variables = (node.variableDefinitions ?? []).map(
      ({ variable }) => `${fieldName(variable.name.value)}=…`,
    );
    return `| \`${api}.graphql.${fieldName(name)}(${variables.join(', ')})\` | ${kind} | ${about} |`;
  });
  return [`### graphql\n\n| function | kind | |\n| --- | --- | --- |\n${rows.join('\n')}`];
}

function table(api: string, group: Group): string {
  const rows = group.calls.flatMap((call) => {
    const where = `\`${call.method} ${call.path}\``;
    const path = call.inPath.map(({ key }) => fieldName(key));
    const write = writeOf(group, call);
    const given = [
      ...path,
      ...(call.body ? [nameOf(call.body.schema) ?? 'body'] : []),
      ...call.options.map(({ key }) => `${fieldName(key)}=…`),
    ];
    const pages = call.options.map(({ key }) => `${fieldName(key)}=…`).join(', ');
    return [
      [`${methodText(call.name)}(${given.join(', ')})`, where, cell(call.summary)],
      ...(call.pageOf
        ? [[`${snakeCase(iterationName(call.name))}(${pages})`, where, 'One after the other']]
        : []),
      ...(write
        ? [[`update(${[...path, 'change'].join(', ')})`, where, 'Read, change, write back']]
        : []),
    ].map(
      ([method, place, about]) =>
        `| \`${api}.${fieldName(group.name)}.${method}\` | ${place} | ${about} |`,
    );
  });
  const about = group.about ? `${group.about}\n\n` : '';
  return `### ${fieldName(group.name)}\n\n${about}| method | | |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

/** In a table a text is one line. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

export function block(code: string): string {
  return `\`\`\`python\n${code}\n\`\`\``;
}
