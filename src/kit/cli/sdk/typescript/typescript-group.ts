import type { ApiCall, Payload } from '../../../sdk/api-call.ts';
import {
  acceptOf,
  hasLimit,
  hasRedirects,
  isConditional,
  readsOf,
  writeOf,
} from '../../../sdk/call-traits.ts';
import type { Group } from '../../../sdk/groups.ts';
import { errorClass, isNumber, type Model } from '../../../sdk/model.ts';
import { iterationName } from '../../../sdk/names.ts';
import { anything } from '../../../sdk/shape.ts';
import {
  bodyType,
  dataType,
  doc,
  failureType,
  headersType,
  optionsType,
  problemType,
  typeOf,
} from '../../../sdk/typescript/types.ts';
import { mentioned } from './mentioned-names.ts';

/** How many records a page has when nobody says. */
const PAGE = 100;

/** The file of one group: what is known about its operations, its types, its class. */
export function groupFile(model: Model, group: Group): string {
  const calls = group.calls.map((call) => ({ call, write: writeOf(group, call) }));
  const body = [
    ...calls.map(({ call }) => callTypes(call)),
    doc([group.about]),
    `export class ${group.className} {\n  readonly #transport: Transport;\n\n`,
    '  constructor(transport: Transport) {\n    this.#transport = transport;\n  }\n\n',
    calls.map(({ call, write }) => methodsOf(call, write)).join('\n'),
    '}\n\n',
    ...calls.map(({ call }) => `${descriptor(call)}\n`),
  ].join('');
  const schemas = mentioned(
    body,
    model.components.map(({ name }) => name),
  );
  const errors = mentioned(
    body,
    model.errors.map(({ className }) => className),
  );
  const bodies = mentioned(body, ['Binary', 'MediaBody']);
  const base = mentioned(body, ['ApiError', 'ConnectionError']);
  return [
    bodies.length > 0 ? `import type { ${bodies.join(', ')} } from '../runtime/body.js';\n` : '',
    "import type { Call } from '../runtime/call.js';\n",
    `import type { ${base.join(', ')} } from '../runtime/errors.js';\n`,
    "import type { RequestOptions } from '../runtime/options.js';\n",
    body.includes('new PagedList') ? "import { PagedList } from '../runtime/pages.js';\n" : '',
    "import type { Operation } from '../runtime/request.js';\nimport type { Transport } from '../runtime/transport.js';\n",
    body.includes('return update(') ? "import { update } from '../runtime/update.js';\n" : '',
    schemas.length > 0 ? `import type { ${schemas.join(', ')} } from '../openapi.js';\n` : '',
    errors.length > 0 ? `import type { ${errors.join(', ')} } from '../refusals.js';\n` : '',
    `\n${body}`,
  ].join('');
}

function callTypes(call: ApiCall): string {
  const members = call.options.map(
    ({ key, required, description, shape }) =>
      `${doc([description], '  ')}  readonly ${key}${required ? '' : '?'}: ${typeOf(shape, '  ')}${required ? '' : ' | undefined'};\n`,
  );
  const others = call.refusals.filter(({ status }) => !isNumber(status));
  const failures = [
    ...call.refusals.flatMap(({ status }) => (isNumber(status) ? [errorClass(status)] : [])),
    ...(others.length > 0
      ? [`ApiError<${problemType({ shapes: others.flatMap(({ shape }) => shape ?? []) })}>`]
      : []),
    'ConnectionError',
  ];
  return [
    doc([`What can be said about a call of \`${call.operationId}\`.`]),
    `export interface ${optionsType(call)} extends RequestOptions {\n${members.join('')}}\n\n`,
    doc([`How \`${call.operationId}\` can fail.`]),
    `export type ${failureType(call)} = ${failures.join(' | ')};\n\n`,
  ].join('');
}

function methodsOf(call: ApiCall, write: ApiCall | undefined): string {
  return [plainMethod(call), call.pageOf ? iteration(call) : '', write ? change(call, write) : '']
    .filter((each) => each !== '')
    .join('\n');
}

function plainMethod(call: ApiCall): string {
  const isNeeded = call.options.some(({ required }) => required);
  const options = optionsType(call);
  const given = [
    ...call.inPath.map(({ key, shape }) => `${key}: ${typeOf(shape)}`),
    ...bodyParameter(call, isNeeded),
  ];
  const path = call.inPath.map(({ key }) => key);
  const input = [
    ...(path.length > 0 ? [`path: { ${path.join(', ')} }`] : []),
    ...(call.body ? ['body'] : []),
    'options',
  ];
  const result = (data: string) => `Call<${data}, ${headersType(call)}, ${failureType(call)}>`;
  const data = dataType(call);
  const last = (type: string) => `options${isNeeded ? '' : '?'}: ${type}`;
  const heading = documentation(call);
  const implementation = `  ${call.name}(${[...given, `options: ${options}${isNeeded ? '' : ' = {}'}`].join(', ')})`;
  const body = ` {\n    return this.#transport.call(${constant(call)}, { ${input.join(', ')} });\n  }\n`;
  if (!isConditional(call)) return `${heading}${implementation}: ${result(data)}${body}`;
  const always = `${options} & { readonly ifNoneMatch?: undefined }`;
  const perhaps = `${options} & { readonly ifNoneMatch: string }`;
  return [
    `${heading}  ${call.name}(${[...given, last(always)].join(', ')}): ${result(data)};\n`,
    doc([call.summary, '', 'Undefined when it is still the version in `ifNoneMatch`.'], '  '),
    `  ${call.name}(${[...given, `options: ${perhaps}`].join(', ')}): ${result(`${data} | undefined`)};\n`,
    `${implementation}: ${result(`${data} | undefined`)}${body}`,
  ].join('');
}

/** A body that may be left out comes before the options all the same. */
function bodyParameter(call: ApiCall, isNeeded: boolean): string[] {
  if (!call.body) return [];
  const type = bodyType(call);
  if (call.body.required) return [`body: ${type}`];
  return [isNeeded ? `body: ${type} | undefined` : `body?: ${type} | undefined`];
}

const constant = ({ typeName }: ApiCall) => `operation${typeName}`;

function iteration(call: ApiCall): string {
  const item = typeOf(call.pageOf ?? anything);
  const isNeeded = call.options.some(({ required }) => required);
  const options = `options: ${optionsType(call)}${isNeeded ? '' : ' = {}'}`;
  const typed = call.inPath.map(({ key, shape }) => `${key}: ${typeOf(shape)}`);
  const path = call.inPath.map(({ key }) => `${key}, `).join('');
  return [
    doc(
      [
        `${call.summary}, page by page as they are asked for: \`for await\` takes one after the other.`,
      ],
      '  ',
    ),
    `  ${iterationName(call.name)}(${[...typed, options].join(', ')}): PagedList<${item}> {\n`,
    `    return new PagedList((query) => this.${call.name}(${path}{ ...options, ...query }).withResponse(), {${hasLimit(call) ? ` limit: options.limit ?? ${PAGE} ` : ''}});\n  }\n`,
  ].join('');
}

function change(read: ApiCall, write: ApiCall): string {
  const path = read.inPath.map(({ key }) => key).join(', ');
  const typed = read.inPath.map(({ key, shape }) => `${key}: ${typeOf(shape)}`);
  const input = bodyType(write);
  return [
    doc(
      [
        `Reads it, changes it and writes it back, all of it again when somebody else has written meanwhile.`,
      ],
      '  ',
    ),
    `  update(${typed.join(', ')}, change: (current: ${dataType(read)}) => ${input} | Promise<${input}>, options: RequestOptions = {}): Promise<${dataType(read)}> {\n`,
    `    return update(() => this.${read.name}(${path}, options).withResponse(), (body: ${input}, ifMatch) => this.${write.name}(${path}, body, { ...options, ifMatch }), change);\n  }\n`,
  ].join('');
}

function documentation(call: ApiCall): string {
  const parameters = call.inPath.map(({ key, description }) => `@param ${key} ${description}`);
  const refusals = call.refusals.map(
    ({ status, description }) =>
      `@throws {${isNumber(status) ? errorClass(status) : 'ApiError'}} ${description}`,
  );
  return doc([call.summary, '', call.description, '', ...parameters, ...refusals], '  ');
}

/** What the runtime has to know about an operation. */
function descriptor(call: ApiCall): string {
  const replies = call.replies.map(({ status, payload }) => `'${status}': '${readsOf(payload)}'`);
  const headers = call.replyHeaders.map(({ key, name, shape }) => {
    const type = typeOf(shape) === 'number' ? 'number' : 'string';
    return `${key}: { name: ${JSON.stringify(name)}, type: '${type}' }`;
  });
  const parameters = [...call.inPath, ...call.options].map((each) => {
    const { key, name, in: place, style, explode, isJson, isReserved } = each;
    const flags = { ...(isJson && { json: true }), ...(isReserved && { reserved: true }) };
    return `    ${JSON.stringify({ key, name, in: place, style, explode, ...flags })},\n`;
  });
  const bodies = call.body ? [call.body, ...call.body.others].map(bodyForm) : [];
  const list = (name: string, entries: readonly string[]) =>
    entries.length > 0 ? [`${name}: [\n${entries.join('')}  ]`] : [];
  const members = [
    `id: ${JSON.stringify(call.operationId)}`,
    `method: '${call.method}'`,
    `path: ${JSON.stringify(call.path)}`,
    `accept: ${JSON.stringify(acceptOf(call))}`,
    `replies: { ${replies.join(', ')} }`,
    `refusals: ${JSON.stringify(call.refusals.map(({ status }) => status))}`,
    ...list('parameters', parameters),
    ...list('bodies', bodies),
    ...(headers.length > 0 ? [`replyHeaders: { ${headers.join(', ')} }`] : []),
    ...(call.security.length > 0 ? [`security: ${JSON.stringify(call.security)}`] : []),
    ...(hasRedirects(call) ? ['redirects: true'] : []),
  ];
  return `const ${constant(call)}: Operation = {\n${members.map((each) => `  ${each},\n`).join('')}};\n`;
}

function bodyForm({ mediaType, kind, media }: Payload): string {
  const styled = Object.entries(media.encoding ?? {}).flatMap(([name, { style, explode }]) =>
    style === undefined && explode === undefined
      ? []
      : [[name, { style: style ?? 'form', explode: explode ?? (style ?? 'form') === 'form' }]],
  );
  const encoding = styled.length > 0 ? { encoding: Object.fromEntries(styled) } : {};
  const as = kind === 'any' ? 'binary' : kind;
  return `    ${JSON.stringify({ type: mediaType, as, ...encoding })},\n`;
}
