import { DFA, JS, NFA } from 'refa';

/** Whether two anchored patterns are shown to admit the same texts. */
export function admitSameTexts(before: string, after: string): boolean {
  try {
    return automaton(before).structurallyEqual(automaton(after));
  } catch {
    // It takes no assertions but the two anchors, no backreferences, and no automaton beyond its limits.
    return false;
  }
}

function automaton(source: string): DFA {
  const parser = JS.Parser.fromLiteral({ source, flags: 'u' });
  const { expression, maxCharacter } = parser.parse();
  const [alternative, other] = expression.alternatives;
  const [start, end] = [alternative?.elements.shift(), alternative?.elements.pop()];
  const isAnchored = start?.type === 'Assertion' && end?.type === 'Assertion' && !other;
  if (!isAnchored || !source.startsWith('^') || !source.endsWith('$'))
    throw new Error(`${source} is not anchored`);
  const dfa = DFA.fromFA(NFA.fromRegex(expression, { maxCharacter }));
  dfa.minimize();
  return dfa;
}
