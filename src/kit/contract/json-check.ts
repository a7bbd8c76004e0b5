import { type ContractSource, placeAt, readYaml } from './contract-source.ts';

// The checks of a contract recurse into its parts: deeper ones would exhaust the stack.
const DEEPEST = 1000;

/** Refuses JSON that is too deep, or has a name twice in one object: `JSON.parse` would keep the last. */
export function checkJson(text: string, { file, value }: ContractSource, deepest = DEEPEST): void {
  const { names, tooDeep } = measured(text, deepest);
  if (tooDeep !== undefined) {
    const place = `${file}:${placeAt(text, tooDeep)}`;
    throw new Error(`${place}: found more than ${deepest} levels, expected fewer`);
  }
  // The YAML parser refuses a repeated name with its place.
  if (names !== namesIn(value)) readYaml(text, file);
}

/** How many names a JSON text has, and where it becomes too deep. */
function measured(
  text: string,
  deepest: number,
): { readonly names: number; readonly tooDeep?: number } {
  let names = 0;
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"') at = endOfText(text, at);
    else if (mark === ':') names++;
    else if (mark === '}' || mark === ']') level--;
    else if ((mark === '{' || mark === '[') && ++level > deepest) return { names, tooDeep: at };
  }
  return { names };
}

/** Where the quoted text that begins at an offset ends. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first--;
    if ((end - first) % 2 === 0) return end;
  }
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const within = Object.values(value).reduce<number>((sum, each) => sum + namesIn(each), 0);
  return Array.isArray(value) ? within : within + Object.keys(value).length;
}
