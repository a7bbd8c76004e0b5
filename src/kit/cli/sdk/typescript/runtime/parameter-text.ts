/** How the contract writes a parameter as text (RFC 6570, and OpenAPI for deepObject). */
export interface Parameter {
  /** What the SDK calls it. */
  readonly key: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly style: string;
  readonly explode: boolean;
  /** Whether its text is JSON. */
  readonly json?: boolean;
  /** Whether reserved characters stay as they are. */
  readonly reserved?: boolean;
}

type Form = Omit<Parameter, 'key'>;

/** The text of a value; in a query and a cookie it has its names. */
export function parameterText(form: Form, value: unknown): string {
  const { name, in: place, style, explode } = form;
  const encode = encoderOf(form);
  const isNamed = place === 'query' || place === 'cookie';
  const named = (text: string) => `${encode(name)}=${text}`;
  if (form.json)
    return isNamed ? named(encode(JSON.stringify(value))) : encode(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) {
    const text = encode(value);
    if (style === 'label') return `.${text}`;
    if (style === 'matrix') return text === '' ? `;${encode(name)}` : `;${named(text)}`;
    return isNamed ? named(text) : text;
  }
  if (style === 'deepObject' && !Array.isArray(value)) return deep(name, value, encode).join('&');
  const members = Array.isArray(value) ? undefined : defined(value);
  const items = Object.values(members ? Object.fromEntries(members) : value).map(encode);
  const pairs = members?.map(([key, each]) => `${encode(key)}=${encode(each)}`);
  const flat = (members?.flat().map(encode) ?? items).join(delimiters[style] ?? ',');
  if (style === 'label') {
    return explode ? (pairs ?? items).map((part) => `.${part}`).join('') : `.${flat}`;
  }
  if (style === 'matrix') {
    if (!explode) return `;${named(flat)}`;
    return (pairs ?? items.map(named)).map((part) => `;${part}`).join('');
  }
  if (isNamed && explode) return (pairs ?? items.map(named)).join(place === 'cookie' ? '; ' : '&');
  if (explode && pairs) return pairs.join(',');
  return isNamed ? (flat === '' ? '' : named(flat)) : flat;
}

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '|' };

function encoderOf({ in: place, reserved }: Form): (part: unknown) => string {
  const text = (part: unknown) =>
    typeof part === 'object' && part !== null ? JSON.stringify(part) : String(part);
  if (place === 'header') return text;
  if (reserved) return (part) => encodeURI(text(part)).replaceAll('#', '%23');
  return (part) => encodeURIComponent(text(part));
}

function deep(name: string, value: object, encode: (part: unknown) => string): string[] {
  return defined(value).flatMap(([key, each]) => {
    const inner = `${name}[${key}]`;
    if (Array.isArray(each)) return each.map((item) => `${encode(inner)}=${encode(item)}`);
    if (typeof each === 'object' && each !== null) return deep(inner, each, encode);
    return [`${encode(inner)}=${encode(each)}`];
  });
}

function defined(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}
