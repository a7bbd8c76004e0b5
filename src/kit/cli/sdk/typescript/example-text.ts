import { isObject } from '../../../contract/openapi-document.ts';
import type { ApiCall, Payload } from '../api-call.ts';
import type { ExampleCall } from '../example-call.ts';
import type { Shape } from '../shape.ts';
import { keyText } from './types.ts';
import { shown } from './typescript-readme-parts.ts';

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
    return `[${value.map((each) => valueText(each, shape.item)).join(', ')}]`;
  }
  if (shape.kind !== 'object' || !isObject(value)) return shown(value);
  const shapes = new Map(shape.fields.map((field) => [field.name, field.shape]));
  const members = Object.entries(value).map(
    ([name, each]) => `${keyText(name)}: ${valueText(each, shapes.get(name) ?? { kind: 'any' })}`,
  );
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}

const blob = (value: unknown) => `new Blob([${shown(String(value))}])`;
