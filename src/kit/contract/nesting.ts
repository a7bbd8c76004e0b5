import type { ContractSource } from './contract-source.ts';
import { checkJson } from './json-check.ts';
import { isObject } from './openapi-document.ts';

// The bundler recurses into each part, and puts parts into each other.
const MOST_LEVELS = 200;

/** Refuses a file that is too deep to be bundled, or is JSON with a name twice in one object. */
export function checkLevels(text: string, source: ContractSource): void {
  if (source.isJson) {
    checkJson(text, source, MOST_LEVELS);
    return;
  }
  const path = tooDeep(source.value, []);
  const message = `found more than ${MOST_LEVELS} levels, expected fewer`;
  if (path) source.fail({ path, at: 'value', message });
}

/** The first part that is too deep. */
function tooDeep(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (!isObject(value)) return undefined;
  if (path.length === MOST_LEVELS) return path;
  for (const [name, member] of Object.entries(value)) {
    const found = tooDeep(member, [...path, name]);
    if (found) return found;
  }
  return undefined;
}
