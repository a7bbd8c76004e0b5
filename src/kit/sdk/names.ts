/** `If-None-Match`, `x_request_id` or `createShip` as words in small letters; `ETag` is one word. */
function words(name: string): string[] {
  return name
    .normalize('NFC')
    .replaceAll(/['’]/g, '')
    .replaceAll(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{Nd}]+/u)
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

/** As package managers have it: ASCII alone. */
export function kebabCase(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/[^\x20-\x7e]/g, '');
  return words(plain).join('-');
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A name that both languages take; `_` before a digit, and `otherwise` for what has no letters at all. */
export function legal(name: string, otherwise: string): string {
  const some = name || otherwise;
  return /^\p{Nd}/u.test(some) ? `_${some}` : some;
}

/** What a type is called: as the contract calls it, where that is a name in both languages. */
export function typeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : legal(pascalCase(name), 'Model');
}

/** Gives out each name once: a wish that is taken has a suffix, and then a number. */
export function createNames(taken: Iterable<string>) {
  const known = new Set(taken);
  /** `parts` are further names that come with it. */
  return (wish: string, suffix = '', parts: readonly string[] = []): string => {
    const isFree = (name: string) =>
      !known.has(name) && parts.every((part) => !known.has(`${name}${part}`));
    let name = wish;
    if (!isFree(name)) name = `${wish}${suffix}`;
    for (let i = 2; !isFree(name); i++) name = `${wish}${suffix}${i}`;
    known.add(name);
    for (const part of parts) known.add(`${name}${part}`);
    return name;
  };
}

export type Names = ReturnType<typeof createNames>;

/**
 * What an operation is called within the group of its tag: `createShip` among the ships is `create`,
 * `getHealth` among the operations stays what it is, and `pets/list-all` among the pets is `listAll`.
 */
export function methodName(operationId: string, tag: string): string {
  const plural = pascalCase(tag);
  if (/[^A-Za-z0-9]/.test(operationId)) {
    const whole = pascalCase(operationId);
    const rest = whole.startsWith(plural) ? whole.slice(plural.length) : '';
    return camelCase(/^\p{Lu}/u.test(rest) ? rest : whole);
  }
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  const [verb = '', ...rest] = operationId.split(/(?=[A-Z])/);
  const noun = rest.join('');
  const short = [plural, singular].find((each) => each !== '' && noun.startsWith(each)) ?? '';
  return camelCase(verb + noun.slice(short.length));
}

/** What walks through all pages of what `list` gives one of: `iterate`, and `iterateBooks` of `listBooks`. */
export function iterationName(method: string): string {
  return method.startsWith('list') ? `iterate${method.slice(4)}` : `iterate${capitalised(method)}`;
}
