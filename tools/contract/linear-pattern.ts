import { checkSync } from 'recheck';

// The part in JavaScript: the native programs are not there for every machine.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** Why a regular expression is not shown to match in linear time, with an attack text; undefined where it is. */
export function backtracking(source: string, flags: string): string | undefined {
  // The other checker of recheck tries texts, which shows nothing when it finds none.
  const found = checkSync(source, flags, { checker: 'automaton', timeout: 60_000 });
  const what = `the pattern ${source}`;
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') {
    const { error } = found;
    const reason = 'message' in error ? `${error.kind}: ${error.message}` : error.kind;
    return `${what} is not shown to match in linear time (${reason})`;
  }
  const { complexity, attack } = found;
  return `${what} may take ${complexity.summary} time; an attack text is ${attack.pattern}`;
}
