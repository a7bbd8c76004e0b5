/** The names that a text of types mentions; what stands in comments and in quotes does not count. */
export function mentioned(text: string, names: readonly string[]): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|'[^'\n]*'|"(?:[^"\\\n]|\\.)*"/g, '""');
  const used = new Set(code.match(/(?<![.\w$])[\p{L}_$][\p{L}\p{Nd}_$]*/gu));
  return names.filter((name) => used.has(name));
}
