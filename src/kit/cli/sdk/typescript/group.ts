import type { ApiCall } from '../api-call.ts';
import { errorClass, type Group, type Model } from '../model.ts';
import { camelCase, iterationName, pascalCase } from '../names.ts';
import { isJson } from '../payload.ts';
import {
  dataType,
  doc,
  failureType,
  headersType,
  mentioned,
  optionsType,
  typeOf,
} from './types.ts';

/** How many records a page has when nobody says. */
const PAGE = 100;

/** The file of one group: what is known about its operations, its types, its class. */
export function groupFile(model: Model, group: Group): string {
  const calls = group.calls.map((call) => ({ call, write: writeOf(group, call) }));
  const body = [
    ...calls.map(({ call }) => callTypes(call)),
    doc([group.about]),
    `export class ${className(group)} {\n  readonly #transport: Transport;\n\n`,
    '  constructor(transport: Transport) {\n    this.#transport = transport;\n  }\n\n',
    calls.map(({ call, write }) => methodsOf(call, write)).join('\n'),
    '}\n\n',
    ...calls.map(({ call }) => `${descriptor(call)}\n`),
  ].join('');
  const schemas = mentioned(body, Object.keys(model.schemas));
  const errors = mentioned(
    body,
    model.errors.map(({ className }) => className),
  );
  return [
    "import type { Call } from '../runtime/call.js';\n",
    "import type { ConnectionError } from '../runtime/errors.js';\n",
    "import type { RequestOptions } from '../runtime/options.js';\n",
    body.includes('new PagedList') ? "import { PagedList } from '../runtime/pages.js';\n" : '',
    "import type { Operation } from '../runtime/request.js';\nimport type { Transport } from '../runtime/transport.js';\n",
    body.includes('return update(') ? "import { update } from '../runtime/update.js';\n" : '',
    schemas.length > 0 ? `import type { ${schemas.join(', ')} } from '../openapi.js';\n` : '',
    errors.length > 0 ? `import type { ${errors.join(', ')} } from '../refusals.js';\n` : '',
    `\n${body}`,
  ].join('');
}

/** `Api` sets it apart from what the contract itself calls by that name. */
export const className = ({ name }: Group) => `${pascalCase(name)}Api`;

/** Whether the size of a page can be said. */
export const hasLimit = ({ options }: ApiCall) => options.some(({ name }) => name === 'limit');

export function writeOf(group: Group, { writtenBackBy }: ApiCall): ApiCall | undefined {
  return group.calls.find(({ operationId, body }) => operationId === writtenBackBy && body);
}

function callTypes(call: ApiCall): string {
  const members = call.options.map(
    ({ name, required, description, schema }) =>
      `${doc([description], '  ')}  readonly ${camelCase(name)}${required ? '' : '?'}: ${typeOf(schema)}${required ? '' : ' | undefined'};\n`,
  );
  const failures = [...call.refusals.map(({ status }) => errorClass(status)), 'ConnectionError'];
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
    ...call.inPath.map(({ name, schema }) => `${camelCase(name)}: ${typeOf(schema)}`),
    ...(call.body ? [`body: ${typeOf(call.body.schema)}`] : []),
  ];
  const path = call.inPath.map(({ name }) => property(name, camelCase(name)));
  const input = [
    ...(path.length > 0 ? [`path: { ${path.join(', ')} }`] : []),
    ...(call.body ? ['body'] : []),
    'options',
  ];
  const result = (data: string) => `Call<${data}, ${headersType(call)}, ${failureType(call)}>`;
  const data = dataType(call);
  const last = (type: string) => `options${isNeeded ? '' : '?'}: ${type}`;
  const isConditional = call.replies.some(({ status }) => status === 304);
  const heading = documentation(call);
  const implementation = `  ${call.name}(${[...given, `options: ${options}${isNeeded ? '' : ' = {}'}`].join(', ')})`;
  const body = ` {\n    return this.#transport.call(${call.operationId}, { ${input.join(', ')} });\n  }\n`;
  if (!isConditional) return `${heading}${implementation}: ${result(data)}${body}`;
  const always = `${options} & { readonly ifNoneMatch?: undefined }`;
  const perhaps = `${options} & { readonly ifNoneMatch: string }`;
  return [
    `${heading}  ${call.name}(${[...given, last(always)].join(', ')}): ${result(data)};\n`,
    doc([call.summary, '', 'Undefined when it is still the version in `ifNoneMatch`.'], '  '),
    `  ${call.name}(${[...given, `options: ${perhaps}`].join(', ')}): ${result(`${data} | undefined`)};\n`,
    `${implementation}: ${result(`${data} | undefined`)}${body}`,
  ].join('');
}

function iteration(call: ApiCall): string {
  const item = typeOf(call.pageOf ?? {});
  const options = optionsType(call);
  return [
    doc(
      [
        `${call.summary}, page by page as they are asked for: \`for await\` takes one after the other.`,
      ],
      '  ',
    ),
    `  ${iterationName(call.name)}(options: ${options} = {}): PagedList<${item}> {\n`,
    `    return new PagedList((query) => this.${call.name}({ ...options, ...query }).withResponse(), {${hasLimit(call) ? ` limit: options.limit ?? ${PAGE} ` : ''}});\n  }\n`,
  ].join('');
}

function change(read: ApiCall, write: ApiCall): string {
  const path = read.inPath.map(({ name }) => camelCase(name)).join(', ');
  const typed = read.inPath.map(({ name, schema }) => `${camelCase(name)}: ${typeOf(schema)}`);
  const input = typeOf(write.body?.schema ?? {});
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
  const parameters = call.inPath.map(
    ({ name, description }) => `@param ${camelCase(name)} ${description}`,
  );
  const refusals = call.refusals.map(
    ({ status, description }) => `@throws {${errorClass(status)}} ${description}`,
  );
  return doc([call.summary, '', call.description, '', ...parameters, ...refusals], '  ');
}

function descriptor(call: ApiCall): string {
  const types = call.replies.flatMap(({ payload }) => payload?.mediaType ?? []);
  const among = (place: string) =>
    call.options
      .filter((each) => each.in === place)
      .map(({ name }) => `${camelCase(name)}: ${JSON.stringify(name)}`);
  const replies = call.replies.map(({ status, payload }) => {
    const reads = !payload ? 'nothing' : isJson(payload.mediaType) ? 'json' : 'text';
    return `${status}: '${reads}'`;
  });
  const headers = call.replyHeaders.map(({ name, schema }) => {
    const type = typeOf(schema) === 'number' ? 'number' : 'string';
    return `${camelCase(name)}: { name: ${JSON.stringify(name)}, type: '${type}' }`;
  });
  const record = (name: string, entries: readonly string[]) =>
    entries.length > 0 ? [`${name}: { ${entries.join(', ')} }`] : [];
  const accept = [...new Set([...types, 'application/json'])].join(', ');
  const members = [
    `id: '${call.operationId}'`,
    `method: '${call.method}'`,
    `path: ${JSON.stringify(call.path)}`,
    `accept: ${JSON.stringify(accept)}`,
    ...record('replies', replies),
    `refusals: [${call.refusals.map(({ status }) => status).join(', ')}]`,
    ...record('query', among('query')),
    ...record('headers', among('header')),
    ...record('replyHeaders', headers),
  ];
  return `const ${call.operationId}: Operation = {\n${members.map((each) => `  ${each},\n`).join('')}};\n`;
}

function property(name: string, value: string): string {
  return name === value ? value : `${JSON.stringify(name)}: ${value}`;
}
