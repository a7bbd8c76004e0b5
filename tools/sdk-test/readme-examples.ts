/** An example of a README: a whole program, and what it must print. */
export type ReadmeExample = {
  readonly name: string;
  readonly program: string;
  readonly printed: string;
};

const where = 'http://127.0.0.1:3000';

/** The code blocks of a README; each takes the server's address from its first argument instead. */
export function readmeExamples(readme: string, language: 'ts' | 'python'): ReadmeExample[] {
  const [mark, address, head] =
    language === 'ts'
      ? ['//>', 'String(process.argv[2])', 'declare const process: { argv: string[] };\n']
      : ['#>', 'sys.argv[1]', 'import sys\n'];
  const blocks = readme.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].map(([, code = ''], i) => {
    const quoted = language === 'ts' ? `'${where}'` : `"${where}"`;
    if (!code.includes(quoted))
      throw new Error(`an example does not say where the server is:\n${code}`);
    const lines = code.split('\n').filter((line) => line.startsWith(mark));
    return {
      name: `example ${i + 1} of the README`,
      program: head + code.replaceAll(quoted, address),
      printed: lines.map((line) => `${line.slice(mark.length + 1)}\n`).join(''),
    };
  });
}
