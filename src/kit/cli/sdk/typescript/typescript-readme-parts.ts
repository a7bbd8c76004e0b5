import type { ApiCall } from '../../../sdk/api-call.ts';
import { writeOf } from '../../../sdk/call-traits.ts';
import type { Group } from '../../../sdk/groups.ts';
import type { Model } from '../../../sdk/model.ts';
import { camelCase, iterationName } from '../../../sdk/names.ts';
import { bodyType } from '../../../sdk/typescript/types.ts';
import type { NamedOperation } from '../graphql-operations.ts';

export const resent = `## What is sent again

A request that got no answer, or 408, 429, 502, 503 or 504, is sent again up to three times, after what
\`Retry-After\` says or else after a growing, random while. It must be safe: reads, PUT and DELETE are; a
POST is where the contract takes an \`Idempotency-Key\`, which is then sent by itself, so that one record is made
however often it arrives. A write with \`ifMatch\` is sent again only when the server says that nothing was changed, and a
GraphQL mutation is not.

When the server enforces other contracts than these (\`Contract-Digest\`), \`onWarning\` is told once; without
it, the console is.
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
  return `## Everything\n\n${[...groups, ...functions(api, operations)].join('\n\n')}\n`;
}

function functions(api: string, operations: readonly NamedOperation[]): string[] {
  if (operations.length === 0) return [];
  const rows = operations.map(
    ({ name, kind, about, node }) =>
      `| \`${api}.graphql.${camelCase(name)}(${node.variableDefinitions?.length ? 'variables' : ''})\` | ${kind} | ${about} |`,
  );
  return [`### graphql\n\n| function | kind | |\n| --- | --- | --- |\n${rows.join('\n')}`];
}

function table(api: string, group: Group): string {
  const rows = group.calls.flatMap((call) => {
    const write = writeOf(group, call);
    const where = `\`${call.method} ${call.path}\``;
    const path = call.inPath.map(({ key }) => key);
    return [
      [`${call.name}(${parameters(call)})`, where, cell(call.summary)],
      ...(call.pageOf
        ? [[`${iterationName(call.name)}(options?)`, where, 'One after the other, page by page']]
        : []),
      ...(write
        ? [
            [
              `update(${[...path, 'change'].join(', ')})`,
              `${where}, \`${write.method}\``,
              'Read, change, write back',
            ],
          ]
        : []),
    ].map(
      ([method, place, about]) => `| \`${api}.${group.name}.${method}\` | ${place} | ${about} |`,
    );
  });
  const about = group.about ? `${group.about}\n\n` : '';
  return `### ${group.name}\n\n${about}| method | | |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

function parameters(call: ApiCall): string {
  return [
    ...call.inPath.map(({ key }) => key),
    ...(call.body ? [`body: ${shortBody(call)}`] : []),
    ...(call.options.length > 0 ? ['options?'] : []),
  ].join(', ');
}

export function block(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

/** In a table a text is one line. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

/** The name of its type, where it has a short one. */
function shortBody(call: ApiCall): string {
  const type = bodyType(call);
  return type.includes('\n') || type.length > 80 ? '…' : type.replaceAll('|', '\\|');
}
