import { checkSync } from 'recheck';

// The part in JavaScript: the native programs are not there for every machine.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** Why a pattern is not shown to match in linear time, with an attack text; undefined where it is. */
export type PatternCheck = (source: string, flags?: string) => string | undefined;

/** Checks each pattern once: some take half a second of CPU. Ajv compiles patterns with the flag `u`. */
export function createPatternCheck(): PatternCheck {
  const known = new Map<string, string | undefined>();
  return (source, flags = 'u') => {
    const literal = `/${source}/${flags}`;
    if (!known.has(literal)) known.set(literal, backtracking(source, flags));
    return known.get(literal);
  };
}

function backtracking(source: string, flags: string): string | undefined {
  // recheck's other checker, `fuzz`, proves nothing when it finds no attack.
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
