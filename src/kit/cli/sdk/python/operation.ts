import type { ApiCall, Payload } from '../api-call.ts';
import { pascalCase, snakeCase } from '../names.ts';
import { isJson } from '../payload.ts';
import type { Types } from './models.ts';
import { docstring, fieldName } from './text.ts';

/** The class of the headers that the contract declares for an answer. */
export function headersClass(call: ApiCall, types: Types): string {
  if (call.replyHeaders.length === 0) return '';
  const typeOf = ({ schema }: ApiCall['replyHeaders'][number]) =>
    types.typeOf(schema, 'Header') === 'int' ? 'int' : 'str';
  const fields = call.replyHeaders.toSorted((a, b) => Number(b.required) - Number(a.required));
  const wires = call.replyHeaders.map(
    (header) => `"${fieldName(header.name)}": ("${header.name.toLowerCase()}", ${typeOf(header)})`,
  );
  return [
    `@dataclass(frozen=True)\nclass ${headersName(call)}:\n`,
    docstring([`The headers that \`${call.operationId}\` is answered with.`], '    '),
    `\n    WIRE: ClassVar[dict[str, tuple[str, Any]]] = {${wires.join(', ')}}\n\n`,
    ...fields.map(
      (header) =>
        `    ${fieldName(header.name)}: ${typeOf(header)}${header.required ? '' : ' | None = None'}\n${docstring([header.description], '    ')}`,
    ),
  ].join('');
}

/** What the runtime has to know about an operation. */
export function descriptor(call: ApiCall, types: Types): string {
  const mediaTypes = call.replies.flatMap(({ payload }) => payload?.mediaType ?? []);
  const replies = call.replies.map(({ status, payload }) => {
    if (!payload) return `${status}: ("nothing", None)`;
    if (!isJson(payload.mediaType)) return `${status}: ("text", str)`;
    return `${status}: ("json", ${payloadType(payload, call, types)})`;
  });
  const among = (place: string) =>
    call.options
      .filter((each) => each.in === place)
      .map(({ name }) => `"${fieldName(name)}": "${name}"`);
  const record = (name: string, entries: readonly string[]) =>
    entries.length > 0 ? [`${name}={${entries.join(', ')}}`] : [];
  const members = [
    `id="${call.operationId}"`,
    `method="${call.method}"`,
    `path="${call.path}"`,
    `accept="${[...new Set([...mediaTypes, 'application/json'])].join(', ')}"`,
    ...record('replies', replies),
    ...record('query', among('query')),
    ...record('headers', among('header')),
    ...(call.replyHeaders.length > 0 ? [`reply_headers=${headersName(call)}`] : []),
  ];
  return `${constant(call)} = Operation(\n${members.map((each) => `    ${each},\n`).join('')})\n`;
}

export const constant = ({ operationId }: ApiCall) => `_${snakeCase(operationId).toUpperCase()}`;
export const headersName = ({ operationId }: ApiCall) => `${pascalCase(operationId)}Headers`;
export const bodyName = ({ operationId }: ApiCall) => `${pascalCase(operationId)}Body`;
export const isConditional = ({ replies }: ApiCall) => replies.some(({ status }) => status === 304);

function payloadType(payload: Payload, call: ApiCall, types: Types): string {
  return types.typeOf(payload.schema, `${pascalCase(call.operationId)}Result`);
}

export function dataType(call: ApiCall, types: Types): string {
  const found = call.replies
    .filter(({ status }) => status < 300)
    .map(({ payload }) => {
      if (!payload) return 'None';
      return isJson(payload.mediaType) ? payloadType(payload, call, types) : 'str';
    });
  return [...new Set(found)].join(' | ');
}

export function fullType(call: ApiCall, types: Types): string {
  return `${dataType(call, types)}${isConditional(call) ? ' | None' : ''}`;
}
