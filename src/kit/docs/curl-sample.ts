import { isObject } from '../contract/openapi-document.ts';
import type { Body } from '../sdk/api-call.ts';
import type { Parameter } from '../sdk/call-parameters.ts';
import type { Scheme } from '../sdk/client-schemes.ts';
import type { CallInput, ExampleCall } from '../sdk/example-call.ts';
import { isBinary } from '../sdk/schema.ts';
import { parameterText } from './assets/parameter-text.js';

export type CurlCall = CallInput & { readonly method: string; readonly path: string };

/** A call of an operation for a shell, with curl. Files are called `file.bin`. */
export function curlSample(
  address: string,
  call: CurlCall,
  example: ExampleCall,
  schemes: readonly Scheme[],
): string {
  const { method, inPath, options, body } = call;
  const given = options.flatMap((each) => {
    const value = example.options[each.key];
    return value === undefined ? [] : [{ place: each.in, text: textOf(each, value), of: each }];
  });
  const texts = (place: string) => given.flatMap((each) => (each.place === place ? each.text : []));
  const keys = schemes.flatMap((each) => (each.kind === 'key' ? [each] : []));
  const query = [
    ...texts('query'),
    ...keys.filter((each) => each.in === 'query').map(({ key }) => `${key}=my-secret`),
  ].filter((text) => text !== '');
  const path = inPath.reduce(
    (text, each, i) => text.replaceAll(`{${each.name}}`, textOf(each, example.path[i])),
    call.path,
  );
  const url = `${address}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const cookies = [
    ...texts('cookie'),
    ...keys.filter((each) => each.in === 'cookie').map(({ key }) => `${key}=my-secret`),
  ];
  const parts = [
    `curl${/[[\]{}]/.test(url) ? ' -g' : ''}${methodOption(method, body !== undefined)} ${quoted(url)}`,
    ...given.filter(({ place }) => place === 'header').map(({ of, text }) => header(of.name, text)),
    ...keys.filter((each) => each.in === 'header').map(({ key }) => header(key, 'my-secret')),
    ...(schemes.some(({ kind }) => kind === 'bearer')
      ? [header('Authorization', 'Bearer my-token')]
      : []),
    ...(schemes.some(({ kind }) => kind === 'basic') ? ["-u 'me:my-password'"] : []),
    ...(cookies.length > 0 ? [`-b ${quoted(cookies.join('; '))}`] : []),
    ...(body && example.body !== undefined ? bodyOptions(body, example.body) : []),
  ];
  return parts.join(' \\\n  ');
}

function methodOption(method: string, hasBody: boolean): string {
  if (method === 'HEAD') return ' -I';
  return method === (hasBody ? 'POST' : 'GET') ? '' : ` -X ${method}`;
}

function textOf(
  { name, in: place, style, explode, isJson, isReserved }: Parameter,
  value: unknown,
) {
  const form = { name, in: place, style, explode, json: isJson, reserved: isReserved };
  return parameterText(form, value);
}

function bodyOptions({ kind, mediaType, media, schema }: Body, value: unknown): string[] {
  const type = header('Content-Type', concrete(mediaType));
  if (kind === 'json') return [type, `-d ${quoted(JSON.stringify(value, null, 2))}`];
  if (kind === 'binary' || kind === 'any') return [type, '--data-binary @file.bin'];
  if (kind === 'text' || !isObject(value)) return [type, `--data-binary ${quoted(String(value))}`];
  if (kind === 'multipart') {
    return Object.entries(value).flatMap(([name, each]) => {
      const isFile = isBinaryMember(schema.properties?.[name]);
      return [each].flat().map((item) => formOption(name, item, isFile));
    });
  }
  const members = Object.entries(value).map(([name, each]) => {
    const { style = 'form', explode = style === 'form' } = media.encoding?.[name] ?? {};
    return parameterText({ name, in: 'query', style, explode }, each);
  });
  return [`-d ${quoted(members.filter((text) => text !== '').join('&'))}`];
}

function isBinaryMember(schema: unknown): boolean {
  const { items } = Object(schema);
  return isObject(schema) && (isBinary(schema) || (isObject(items) && isBinary(items)));
}

function formOption(name: string, value: unknown, isFile: boolean): string {
  if (isFile) return `-F ${quoted(`${name}=@file.bin`)}`;
  if (!isObject(value)) return `--form-string ${quoted(`${name}=${value}`)}`;
  const text = JSON.stringify(JSON.stringify(value));
  return `-F ${quoted(`${name}=${text};type=application/json`)}`;
}

/** A range of media types does not say which one is sent. */
function concrete(mediaType: string): string {
  return mediaType === '*/*' || mediaType === 'application/*'
    ? 'application/octet-stream'
    : mediaType.replace('*', 'plain');
}

const header = (name: string, value: string) => `-H ${quoted(`${name}: ${value}`)}`;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
