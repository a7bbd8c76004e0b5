/** `If-None-Match`, `x_request_id` or `createBook` as words in small letters; `ETag` is one word. */
function words(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

export function pascalCase(name: string): string {
  return words(name).map(capitalised).join('');
}

export function camelCase(name: string): string {
  const [first = '', ...rest] = words(name);
  return first + rest.map(capitalised).join('');
}

export function snakeCase(name: string): string {
  return words(name).join('_');
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * What an operation is called within the group of its tag: `createBook` among the books is `create`,
 * `getHealth` among the operations stays what it is.
 */
export function methodName(operationId: string, tag: string): string {
  const plural = pascalCase(tag);
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  const [verb = '', ...rest] = operationId.split(/(?=[A-Z])/);
  const noun = rest.join('');
  const short = [plural, singular].find((each) => noun.startsWith(each)) ?? '';
  return camelCase(verb + noun.slice(short.length));
}

/** What walks through all pages of what `list` gives one of: `iterate`, and `iterateBooks` of `listBooks`. */
export function iterationName(method: string): string {
  return method.startsWith('list') ? `iterate${method.slice(4)}` : `iterate${capitalised(method)}`;
}
