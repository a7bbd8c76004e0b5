/** A block of commands in a guide, as a reader copies it. */
export type Block = {
  /** Where it begins. */
  readonly line: number;
  readonly heading: string;
  readonly commands: string;
  /** What the fence says after `sh`: `install` installs packages, `debian` needs them and root. */
  readonly kind: 'install' | 'debian' | 'plain';
};

const FENCE = /^```(\S*)(?: (\S+))?$/;

/** The blocks of a Markdown text that begin with ```sh. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: { line: number; isShell: boolean; kind: string; lines: string[] } | undefined;
  for (const [i, text] of markdown.split('\n').entries()) {
    const fence = text.match(FENCE);
    if (fence && !open) {
      open = { line: i + 1, isShell: fence[1] === 'sh', kind: fence[2] ?? 'plain', lines: [] };
    } else if (fence && open) {
      const { line, isShell, kind, lines } = open;
      if (kind !== 'install' && kind !== 'debian' && kind !== 'plain') {
        throw new Error(`line ${line}: a block of commands is no ${kind}`);
      }
      if (isShell) blocks.push({ line, heading, commands: lines.join('\n'), kind });
      open = undefined;
    } else if (open) open.lines.push(text);
    else if (text.startsWith('## ')) heading = text.slice(3);
  }
  return blocks;
}

/** One program of all blocks, which ends with the first command that fails and says before each where it is. */
export function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.map(
    ({ line, heading, commands }) =>
      `printf '\\n== line %s: %s\\n' ${line} '${heading}'\n${commands}\n`,
  );
  return ['set -euo pipefail\n', ...parts].join('\n');
}
