/** The text of a value as the contract writes it (RFC 6570, and OpenAPI for deepObject); in a query and a cookie with its names. */
export function parameterText(form, value) {
  const { name, in: place, style, explode } = form;
  const encode = encoderOf(form);
  const isNamed = place === 'query' || place === 'cookie';
  const named = (text) => `${encode(name)}=${text}`;
  if (form.json) {
    const text = encode(JSON.stringify(value));
    return isNamed ? named(text) : text;
  }
  if (typeof value !== 'object' || value === null) {
    const text = encode(value);
    if (style === 'label') return `.${text}`;
    if (style === 'matrix') return text === '' ? `;${encode(name)}` : `;${named(text)}`;
    return isNamed ? named(text) : text;
  }
  if (style === 'deepObject' && !Array.isArray(value)) return deep(name, value, encode).join('&');
  const members = Array.isArray(value) ? undefined : Object.entries(value);
  const items = Object.values(value).map(encode);
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

const delimiters = { spaceDelimited: '%20', pipeDelimited: '|' };

function encoderOf({ in: place, reserved }) {
  const text = (part) =>
    typeof part === 'object' && part !== null ? JSON.stringify(part) : String(part);
  if (place === 'header') return text;
  if (reserved) return (part) => encodeURI(text(part)).replaceAll('#', '%23');
  return (part) => encodeURIComponent(text(part));
}

function deep(name, value, encode) {
  return Object.entries(value).flatMap(([key, each]) => {
    const inner = `${name}[${key}]`;
    if (Array.isArray(each)) return each.map((item) => `${encode(inner)}=${encode(item)}`);
    if (typeof each === 'object' && each !== null) return deep(inner, each, encode);
    return [`${encode(inner)}=${encode(each)}`];
  });
}
