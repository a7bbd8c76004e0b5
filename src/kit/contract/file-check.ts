import { statSync } from 'node:fs';
import {
  type ContractParts,
  createContractParts,
  type Place,
  refIn,
  targetOf,
} from './file-references.ts';
import { eachReference } from './references.ts';

/**
 * Refuses files that cannot be read and references that lead back to themselves, in any file that a contract is made
 * of. The bundler refuses them too, and does not tell the file or the line.
 */
export function checkFiles(root: string): void {
  const parts = createContractParts(root);
  const files = new Set([root]);
  // The set grows while it is walked.
  for (const file of files) {
    const { value, fail } = parts.sourceOf(file);
    eachReference(value, [], (path, ref) => {
      const target = targetOf(file, ref);
      const refuse = (expected: string) =>
        fail({ path: [...path, '$ref'], at: 'value', message: `found "${ref}", ${expected}` });
      if (entryAt(target.file) === 'else') refuse('expected a file that can be read');
      if (!isDescription(target.file)) return;
      files.add(target.file);
      if (leadsBack(target, parts)) refuse('expected one that does not lead back to itself');
    });
  }
}

/** Whether it is a file that holds data; what is not there is told by the bundler. */
function isDescription(file: string): boolean {
  return /\.(ya?ml|json)$/i.test(file) && entryAt(file) === 'file';
}

/** What a name leads to; a folder, a pipe or a link to itself is something else. */
function entryAt(file: string): 'file' | 'nothing' | 'else' {
  try {
    const entry = statSync(file, { throwIfNoEntry: false });
    if (!entry) return 'nothing';
    return entry.isFile() ? 'file' : 'else';
  } catch {
    return 'else';
  }
}

function leadsBack(place: Place, { partAt }: ContractParts): boolean {
  const seen = new Set<string>();
  for (let at = place; ; ) {
    const key = `${at.file}#${at.path.join('/')}`;
    if (seen.has(key)) return true;
    seen.add(key);
    if (!isDescription(at.file)) return false;
    const ref = refIn(partAt(at));
    if (ref === undefined) return false;
    at = targetOf(at.file, ref);
  }
}
