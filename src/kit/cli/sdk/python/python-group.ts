import type { ApiCall } from '../../../sdk/api-call.ts';
import { hasLimit, isConditional, writeOf } from '../../../sdk/call-traits.ts';
import type { Group } from '../../../sdk/groups.ts';
import { errorClass, isNumber } from '../../../sdk/model.ts';
import { capitalised, iterationName, snakeCase } from '../../../sdk/names.ts';
import { type Types, union } from '../../../sdk/python/python-models.ts';
import {
  bodyType,
  constant,
  dataType,
  descriptor,
  fullType,
  headersClass,
  headersName,
} from '../../../sdk/python/python-operation.ts';
import { docstring, fieldName, methodText } from '../../../sdk/python/text.ts';
import { anything } from '../../../sdk/shape.ts';

/** How many records a page has when nobody says. */
const PAGE = 100;

type Mode = 'sync' | 'async';

/** The module of one group: the same class twice, with and without waiting. */
export function groupFile(group: Group, types: Types): string {
  const body = [
    ...group.calls.map((call) => headersClass(call, types)),
    ...group.calls.map((call) => descriptor(call, types)),
    groupClass(group, types, 'sync'),
    groupClass(group, types, 'async'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    // Within a class that has a method `list`, list is that method.
    .replaceAll(/\blist\[/g, 'List[');
  const code = body.replaceAll(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '');
  const used = new Set(code.match(/[\p{L}_][\p{L}\p{Nd}_]*/gu));
  const models = [...types.classes.keys()].filter((name) => used.has(name));
  const has = (word: string) => used.has(word);
  const some = (words: readonly string[]) => words.filter(has).join(', ');
  const typing = some(['Annotated', 'Any', 'ClassVar', 'List', 'Literal', 'Unpack', 'overload']);
  const pages = some(['AsyncPagedList', 'PagedList']);
  const bodies = some(['BodyForm', 'MediaBody', 'Upload']);
  const updates = some(['update', 'update_async']);
  return [
    docstring([aboutOf(group)], ''),
    '\nfrom __future__ import annotations\n\n',
    has('Callable') ? 'from collections.abc import Callable\n' : '',
    has('dataclass') ? 'from dataclasses import dataclass\n' : '',
    `from typing import ${typing}\n\n`,
    bodies ? `from .._body import ${bodies}\n` : '',
    'from .._options import RequestOptions\n',
    has('Parameter') ? 'from .._parameters import Parameter\n' : '',
    pages ? `from .._pages import ${pages}\n` : '',
    `from .._request import ${some(['Operation', 'Reply'])}\n`,
    'from .._transport import AsyncTransport, Transport\n',
    body.includes('return update(') ? `from .._update import ${updates}\n` : '',
    has('Discriminator') ? 'from .._wire import Discriminator\n' : '',
    models.length > 0 ? `from ..models import ${models.join(', ')}\n` : '',
    `\n\n${body}`,
  ].join('');
}

const aboutOf = ({ about, name }: Group) => about || `The operations of ${name}.`;

export const className = (group: Group, mode: Mode) =>
  `${mode === 'async' ? 'Async' : ''}${group.className}`;

function groupClass(group: Group, types: Types, mode: Mode): string {
  const methods = group.calls.flatMap((call) => methodsOf(group, call, types, mode));
  return [
    `class ${className(group, mode)}:\n${docstring([aboutOf(group)], '    ')}\n`,
    `    def __init__(self, transport: ${mode === 'async' ? 'AsyncTransport' : 'Transport'}) -> None:\n`,
    `        self._transport = transport\n\n`,
    methods.join('\n'),
  ].join('');
}

function methodsOf(group: Group, call: ApiCall, types: Types, mode: Mode): string[] {
  const write = writeOf(group, call);
  return [
    callMethod(call, types, mode),
    ...(call.replyHeaders.length > 0 ? [withResponse(call, types, mode)] : []),
    ...(call.pageOf ? [iteration(call, types, mode)] : []),
    ...(write ? [change(call, write, types, mode)] : []),
  ];
}

/** The parameters of a method, each with its type. */
function signature(call: ApiCall, types: Types, conditional?: boolean): string {
  const positional = [...pathParameters(call, types), ...bodyParameter(call, types)];
  const keywords = call.options.map(({ key, required, shape }) => {
    const type = types.typeOf(shape, `${call.typeName}${capitalised(key)}`);
    const isKnown = key === 'ifNoneMatch' && conditional !== undefined;
    if (isKnown) return `${fieldName(key)}: ${conditional ? type : 'None = None'}`;
    return `${fieldName(key)}: ${required ? type : `${union([type, 'None'])} = None`}`;
  });
  const star = keywords.length > 0 ? ['*'] : [];
  return ['self', ...positional, ...star, ...keywords, '**options: Unpack[RequestOptions]'].join(
    ', ',
  );
}

function pathParameters({ inPath, typeName }: ApiCall, types: Types): string[] {
  return inPath.map(
    ({ key, shape }) =>
      `${fieldName(key)}: ${types.typeOf(shape, `${typeName}${capitalised(key)}`)}`,
  );
}

function bodyParameter(call: ApiCall, types: Types): string[] {
  if (!call.body) return [];
  const type = bodyType(call, types);
  return [call.body.required ? `body: ${type}` : `body: ${union([type, 'None'])} = None`];
}

/** All parameters by the names that the runtime looks them up by. */
function givenOf({ inPath, options }: ApiCall): string[] {
  return [...inPath, ...options].map(({ key }) => `"${fieldName(key)}": ${fieldName(key)}`);
}

function sent(call: ApiCall): string {
  const given = givenOf(call);
  return [
    constant(call),
    'options',
    ...(call.body ? ['body=body'] : []),
    ...(given.length > 0 ? [`given={${given.join(', ')}}`] : []),
  ].join(', ');
}

function callMethod(call: ApiCall, types: Types, mode: Mode): string {
  const data = dataType(call, types);
  const request = `${wait(mode)}self._transport.call(${sent(call)})`;
  const body =
    docstring(documentation(call), '        ') +
    (data !== 'None'
      ? `        reply: Reply[${fullType(call, types)}, Any] = ${request}\n        return reply.data\n`
      : `        ${request}\n`);
  const name = methodText(call.name);
  return overloaded(call, name, types, mode, (type) => type, body);
}

function withResponse(call: ApiCall, types: Types, mode: Mode): string {
  const type = (data: string) => `Reply[${data}, ${headersName(call)}]`;
  const body = [
    docstring([`${call.summary}, with the status and the headers of the answer.`], '        '),
    `        return ${wait(mode)}self._transport.call(${sent(call)})\n`,
  ].join('');
  return overloaded(call, `${snakeCase(call.name)}_with_response`, types, mode, type, body);
}

/** A read that may be answered with 304 gives None only to those who ask for that. */
function overloaded(
  call: ApiCall,
  name: string,
  types: Types,
  mode: Mode,
  result: (data: string) => string,
  body: string,
): string {
  const define = (given: string, type: string) => `    ${def(mode)} ${name}(${given}) -> ${type}:`;
  const data = dataType(call, types);
  if (!isConditional(call)) return `${define(signature(call, types), result(data))}\n${body}`;
  return [
    `    @overload\n${define(signature(call, types, false), result(data))} ...\n\n`,
    `    @overload\n${define(signature(call, types, true), result(union([data, 'None'])))} ...\n\n`,
    `${define(signature(call, types), result(union([data, 'None'])))}\n${body}`,
  ].join('');
}

function iteration(call: ApiCall, types: Types, mode: Mode): string {
  const item = types.typeOf(call.pageOf ?? anything, `${call.typeName}Item`);
  const list = mode === 'async' ? 'AsyncPagedList' : 'PagedList';
  const given = givenOf(call);
  return [
    `    def ${snakeCase(iterationName(call.name))}(${signature(call, types)}) -> ${list}[${item}]:\n`,
    docstring([`${call.summary}, page by page as they are asked for.`], '        '),
    `        given = {${given.join(', ')}}\n`,
    `        return ${list}(\n            lambda query: self._transport.call(${constant(call)}, options, given={**given, **query}),\n`,
    `            {${hasLimit(call) ? `"limit": limit or ${PAGE}` : ''}},\n        )\n`,
  ].join('');
}

function change(read: ApiCall, write: ApiCall, types: Types, mode: Mode): string {
  const path = read.inPath.map(({ key }) => fieldName(key));
  const typed = pathParameters(read, types);
  const input = bodyType(write, types);
  const record = dataType(read, types);
  const changes = `change: Callable[[${record}], ${input}]`;
  return [
    `    ${def(mode)} update(${['self', ...typed, changes, '**options: Unpack[RequestOptions]'].join(', ')}) -> ${record}:\n`,
    docstring(
      [
        'Reads it, changes it and writes it back, all of it again when somebody else has written meanwhile.',
      ],
      '        ',
    ),
    `        return ${mode === 'async' ? 'await update_async' : 'update'}(\n`,
    `            lambda: self.${snakeCase(read.name)}_with_response(${path.join(', ')}, **options),\n`,
    `            lambda body, etag: self.${methodText(write.name)}(${[...path, 'body'].join(', ')}, if_match=etag, **options),\n`,
    '            change,\n        )\n',
  ].join('');
}

function documentation(call: ApiCall): string[] {
  const refusals = call.refusals.map(
    ({ status, description }) =>
      `    ${isNumber(status) ? errorClass(status) : 'ApiError'}: ${description}`,
  );
  const raises = refusals.length > 0 ? ['', 'Raises:', ...refusals] : [];
  return [call.summary, '', call.description, ...raises];
}

const def = (mode: Mode) => (mode === 'async' ? 'async def' : 'def');
const wait = (mode: Mode) => (mode === 'async' ? 'await ' : '');
