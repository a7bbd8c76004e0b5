import { inspect } from 'node:util';
import { isObject } from '../../contract/openapi-document.ts';
import type { ApiCall, Payload } from '../api-call.ts';
import { laidOut } from '../code-layout.ts';
import type { ExampleCall } from '../example-call.ts';
import type { Shape } from '../shape.ts';
import { keyText } from './types.ts';

/** The arguments of a method, as they stand in a program. */
export function argumentsText(call: ApiCall, { path, body, options }: ExampleCall): string {
  const hasOptions = Object.keys(options).length > 0;
  return [
    ...path.map(shown),
    ...(call.body && (body !== undefined || hasOptions) ? [bodyText(call.body, body)] : []),
    ...(hasOptions ? [shown(options)] : []),
  ].join(', ');
}

/** Whether the program needs `MediaBody`: a range of media types does not say which one is sent. */
export function isRange({ body }: ApiCall): boolean {
  return body?.mediaType.includes('*') ?? false;
}

function bodyText({ kind, shape, mediaType }: Payload, value: unknown): string {
  const content = kind === 'binary' || kind === 'any' ? blob(value) : valueText(value, shape);
  if (!mediaType.includes('*')) return content;
  const type = mediaType === '*/*' ? 'application/octet-stream' : mediaType.replace('*', 'plain');
  return `new MediaBody('${type}', ${content})`;
}

/** A value with files in the places of bytes. */
function valueText(value: unknown, shape: Shape): string {
  if (shape.kind === 'binary') return blob(value);
  if (shape.kind === 'list' && Array.isArray(value)) {
    return laidOut(
      '[',
      value.map((each) => valueText(each, shape.item)),
      ']',
      INDENT,
    );
  }
  if (shape.kind !== 'object' || !isObject(value)) return shown(value);
  const shapes = new Map(shape.fields.map((field) => [field.name, field.shape]));
  return objectText(value, (each, name) => valueText(each, shapes.get(name) ?? { kind: 'any' }));
}

/** A value from JSON as a program has it. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return laidOut('[', value.map(shown), ']', INDENT);
  if (isObject(value)) return objectText(value, shown);
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}

function objectText(
  value: Readonly<Record<string, unknown>>,
  text: (each: unknown, name: string) => string,
): string {
  const members = Object.entries(value).map(
    ([name, each]) => `${keyText(name)}: ${text(each, name)}`,
  );
  return members.length > 0 ? laidOut('{ ', members, ' }', INDENT) : '{}';
}

const INDENT = '  ';
const blob = (value: unknown) => `new Blob([${shown(String(value))}])`;
