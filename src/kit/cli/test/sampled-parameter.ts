import type { Parameter } from '../../contract/operation.ts';

type Form = Pick<Parameter, 'name' | 'in' | 'style' | 'explode'>;
type Scalar = string | number | boolean;
export type Sendable = Scalar | readonly Scalar[] | Readonly<Record<string, Scalar>>;

/** The text of a parameter by RFC 6570 and, for deepObject, by OpenAPI. In a query and a cookie it has its names. */
export function parameterText({ name, in: place, style, explode }: Form, value: Sendable): string {
  const encode = (part: Scalar) =>
    place === 'header' ? String(part) : encodeURIComponent(String(part));
  const isNamed = place === 'query' || place === 'cookie';
  const named = (text: string) => `${encode(name)}=${text}`;
  if (typeof value !== 'object') {
    const text = encode(value);
    if (style === 'label') return `.${text}`;
    if (style === 'matrix') return text === '' ? `;${encode(name)}` : `;${named(text)}`;
    return isNamed ? named(text) : text;
  }
  const members = Array.isArray(value) ? undefined : Object.entries(value);
  const items = Object.values(value).map(encode);
  if (style === 'deepObject') {
    return (members ?? [])
      .map(([key, each]) => `${encode(`${name}[${key}]`)}=${encode(each)}`)
      .join('&');
  }
  const pairs = members?.map(([key, each]) => `${encode(key)}=${encode(each)}`);
  if (style === 'label') {
    if (explode) return (pairs ?? items).map((part) => `.${part}`).join('');
    return `.${(members?.flat().map(encode) ?? items).join(',')}`;
  }
  if (style === 'matrix') {
    if (explode) return (pairs ?? items.map(named)).map((part) => `;${part}`).join('');
    return `;${named((members?.flat().map(encode) ?? items).join(','))}`;
  }
  if (isNamed && explode) return (pairs ?? items.map(named)).join('&');
  if (explode && pairs) return pairs.join(',');
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '|' }[String(style)] ?? ',';
  const text = (members?.flat().map(encode) ?? items).join(delimiter);
  return isNamed ? named(text) : text;
}
