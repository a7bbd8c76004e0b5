import type { ApiCall, Payload } from '../api-call.ts';
import { acceptOf, isConditional, readsOf } from '../call-traits.ts';
import { isNumber } from '../model.ts';
import { snakeCase } from '../names.ts';
import { type Types, union } from './python-models.ts';
import { docstring, fieldName, quoted } from './text.ts';

/** The class of the headers that the contract declares for an answer. */
export function headersClass(call: ApiCall, types: Types): string {
  if (call.replyHeaders.length === 0) return '';
  const typeOf = ({ shape }: ApiCall['replyHeaders'][number]) => {
    const type = types.typeOf(shape, 'Header');
    return type === 'int' || type === 'float' ? type : 'str';
  };
  const fields = call.replyHeaders.toSorted((a, b) => Number(b.required) - Number(a.required));
  const wires = call.replyHeaders.map(
    (header) =>
      `"${fieldName(header.key)}": (${quoted(header.name.toLowerCase())}, ${typeOf(header)})`,
  );
  return [
    `@dataclass(frozen=True)\nclass ${headersName(call)}:\n`,
    docstring([`The headers that \`${call.operationId}\` is answered with.`], '    '),
    `\n    WIRE: ClassVar[dict[str, tuple[str, Any]]] = {${wires.join(', ')}}\n\n`,
    ...fields.map(
      (header) =>
        `    ${fieldName(header.key)}: ${typeOf(header)}${header.required ? '' : ' | None = None'}\n${docstring([header.description], '    ')}`,
    ),
  ].join('');
}

/** What the runtime has to know about an operation. */
export function descriptor(call: ApiCall, types: Types): string {
  const replies = call.replies.map(({ status, payload }) => {
    const reads = readsOf(payload);
    const type = reads === 'json' && payload ? payloadType(payload, call, types) : 'None';
    return `${isNumber(status) ? status : quoted(status)}: ("${reads}", ${reads === 'any' ? 'Any' : type})`;
  });
  const parameters = [...call.inPath, ...call.options].map(
    ({ key, name, in: place, style, explode, isJson, isReserved }) =>
      `Parameter(${[quoted(fieldName(key)), quoted(name), quoted(place), quoted(style), bool(explode), ...(isJson || isReserved ? [bool(isJson), bool(isReserved)] : [])].join(', ')})`,
  );
  const bodies = call.body ? [call.body, ...call.body.others].map(bodyForm) : [];
  const list = (name: string, entries: readonly string[]) =>
    entries.length > 0 ? [`${name}=[${entries.join(', ')}]`] : [];
  const members = [
    `id=${quoted(call.operationId)}`,
    `method="${call.method}"`,
    `path=${quoted(call.path)}`,
    `accept=${quoted(acceptOf(call))}`,
    `replies={${replies.join(', ')}}`,
    ...list('parameters', parameters),
    ...list('bodies', bodies),
    ...(call.replyHeaders.length > 0 ? [`reply_headers=${headersName(call)}`] : []),
    ...(call.security.length > 0 ? [`security=${JSON.stringify(call.security)}`] : []),
  ];
  return `${constant(call)} = Operation(\n${members.map((each) => `    ${each},\n`).join('')})\n`;
}

function bodyForm({ mediaType, kind, media }: Payload): string {
  const styled = Object.entries(media.encoding ?? {}).flatMap(([name, { style, explode }]) => {
    if (style === undefined && explode === undefined) return [];
    const isExploded = explode ?? style === 'form';
    return [`${quoted(name)}: (${quoted(style ?? 'form')}, ${bool(isExploded)})`];
  });
  const encoding = styled.length > 0 ? `, {${styled.join(', ')}}` : '';
  return `BodyForm(${quoted(mediaType)}, "${kind === 'any' ? 'binary' : kind}"${encoding})`;
}

const bool = (value: boolean) => (value ? 'True' : 'False');

export const constant = ({ typeName }: ApiCall) => `_${snakeCase(typeName).toUpperCase()}`;
export const headersName = ({ typeName }: ApiCall) => `${typeName}Headers`;

/** The parameter `body` of a method: a range of media types, and those beside the first, are named. */
export function bodyType({ body, typeName }: ApiCall, types: Types): string {
  if (!body) return 'None';
  const all = [body, ...body.others].map((each, i) => {
    const type = sentType(each, `${typeName}Body`, types);
    const isRange = each.mediaType.includes('*');
    if (i === 0 && !isRange) return type;
    return `MediaBody[${isRange ? 'str' : `Literal[${quoted(each.mediaType)}]`}, ${type}]`;
  });
  return [...new Set(all)].join(' | ');
}

function sentType({ kind, shape }: Payload, name: string, types: Types): string {
  if (kind === 'text') return 'str';
  return kind === 'binary' ? 'bytes' : kind === 'any' ? 'str | bytes' : types.typeOf(shape, name);
}

function payloadType(payload: Payload, { typeName }: ApiCall, types: Types): string {
  return types.typeOf(payload.shape, `${typeName}Result`);
}

export function dataType(call: ApiCall, types: Types): string {
  const isRedirect = (status: unknown) => String(status).startsWith('3');
  const found = call.replies
    .filter(({ status }) => !isRedirect(status))
    .map(({ payload }) => {
      const reads = readsOf(payload);
      if (!payload || reads === 'nothing') return 'None';
      if (reads === 'json') return payloadType(payload, call, types);
      return reads === 'any' ? 'Any' : reads === 'text' ? 'str' : 'bytes';
    });
  const redirects = call.replies.some(({ status }) => isRedirect(status) && status !== 304);
  return union([...found, ...(redirects ? ['None'] : [])]) || 'None';
}

export function fullType(call: ApiCall, types: Types): string {
  return isConditional(call) ? union([dataType(call, types), 'None']) : dataType(call, types);
}
