import type { ApiCall, Payload } from '../api-call.ts';
import { hasRedirects } from '../call-traits.ts';
import { distinct, type ErrorKind } from '../model.ts';
import type { Shape, UnionShape } from '../shape.ts';
import { wrapped } from '../wrap.ts';

const plain = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
} as const;

/** The TypeScript type of a shape; components are known by their names. */
export function typeOf(shape: Shape, indent = ''): string {
  switch (shape.kind) {
    case 'any':
      return 'unknown';
    case 'never':
      return 'never';
    case 'binary':
      return 'Binary';
    case 'plain':
      return plain[shape.type];
    case 'literal':
      return JSON.stringify(shape.value);
    case 'named':
      return shape.name;
    case 'list':
      return `${grouped(shape.item, indent)}[]`;
    case 'all':
      return shape.parts.map((part) => grouped(part, indent)).join(' & ');
    case 'union':
      return unionType(shape, indent);
    case 'object':
      return objectType(shape, indent);
  }
}

function grouped(shape: Shape, indent: string): string {
  const text = typeOf(shape, indent);
  return shape.kind === 'union' || shape.kind === 'all' ? `(${text})` : text;
}

/** The value of a discriminator tells the options apart. */
function unionType({ options, discriminator }: UnionShape, indent: string): string {
  const types = options.map((option, i) => {
    const values = discriminator?.values[i] ?? [];
    if (!discriminator || values.length === 0) return typeOf(option, indent);
    const literals = values.map((value) => JSON.stringify(value)).join(' | ');
    return `(${grouped(option, indent)} & { ${JSON.stringify(discriminator.property)}: ${literals} })`;
  });
  return [...new Set(types)].join(' | ');
}

function objectType({ fields, rest }: Extract<Shape, { kind: 'object' }>, indent: string): string {
  const inner = `${indent}  `;
  const members = fields.map(
    ({ name, required, about, shape }) =>
      `${doc([about], inner)}${inner}${keyText(name)}${required ? '' : '?'}: ${typeOf(shape, inner)};\n`,
  );
  // The type of all members is that of each, so beside declared ones it can only be unknown.
  const others = rest
    ? [`${inner}[key: string]: ${fields.length > 0 ? 'unknown' : typeOf(rest, inner)};\n`]
    : [];
  const all = [...members, ...others];
  return all.length === 0 ? 'Record<string, never>' : `{\n${all.join('')}${indent}}`;
}

export function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** What is sent as a body of a media type. */
export function sentType({ kind, shape }: Payload): string {
  if (kind === 'text') return 'string';
  return kind === 'binary' ? 'Binary' : kind === 'any' ? 'string | Binary' : typeOf(shape);
}

/** The parameter `body` of a method: a range of media types, and those beside the first, are named. */
export function bodyType({ body }: ApiCall): string {
  if (!body) return 'undefined';
  const types = [body, ...body.others].map((each, i) => {
    const isRange = each.mediaType.includes('*');
    if (i === 0 && !isRange) return sentType(each);
    return `MediaBody<${isRange ? 'string' : JSON.stringify(each.mediaType)}, ${sentType(each)}>`;
  });
  return types.join(' | ');
}

export function payloadType(payload: Payload | undefined): string {
  if (!payload) return 'undefined';
  if (payload.kind === 'json') return typeOf(payload.shape);
  if (payload.kind === 'any') return 'unknown';
  return payload.kind === 'text' || payload.kind === 'form' ? 'string' : 'Blob';
}

/** What a call gives: the bodies of the statuses that are not redirections. */
export function dataType(call: ApiCall): string {
  const types = call.replies
    .filter(({ status }) => !String(status).startsWith('3'))
    .map((each) => payloadType(each.payload));
  if (hasRedirects(call)) types.push('undefined');
  if (types.includes('unknown')) return 'unknown';
  return [...new Set(types)].join(' | ') || 'undefined';
}

export function headersType({ replyHeaders }: ApiCall): string {
  if (replyHeaders.length === 0) return 'Record<never, never>';
  const members = replyHeaders.map(
    ({ key, required, shape }) =>
      `readonly ${key}${required ? '' : '?'}: ${typeOf(shape)}${required ? '' : ' | undefined'}`,
  );
  return `{ ${members.join('; ')} }`;
}

export const optionsType = ({ typeName }: ApiCall) => `${typeName}Options`;
export const failureType = ({ typeName }: ApiCall) => `${typeName}Failure`;

export function problemType({ shapes }: Pick<ErrorKind, 'shapes'>): string {
  const types = distinct(shapes).map((shape) => typeOf(shape));
  return types.includes('unknown') ? 'unknown' : types.join(' | ') || 'undefined';
}

/** A comment for editors to show, indented as given. */
export function doc(lines: readonly string[], indent = ''): string {
  const whole = lines.join('\n').replaceAll(/\r\n?/g, '\n').trim().replaceAll('*/', '*\\/');
  if (whole === '') return '';
  const text = wrapped(whole, 98 - indent.length);
  if (text.length === 1) return `${indent}/** ${text[0]} */\n`;
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
