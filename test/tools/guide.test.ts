// slow: starts processes
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../../tools/guide/guide-blocks.ts';
import { runBlocks } from '../../tools/guide/run-guide.ts';

const guide = (last: string) => `# A guide

## First

\`\`\`sh install
apt-get install nothing
\`\`\`

\`\`\`console
$ this is shown, not run
\`\`\`

## Second

\`\`\`sh debian
seen=$(cat file.txt)
\`\`\`

\`\`\`sh
test "$seen" = here
${last}
test -z "$seen"
\`\`\`
`;

it('the blocks of a guide are its commands, each with its line, heading and what it needs', () => {
  expect(blocksOf(guide('true'))).toEqual([
    { line: 5, heading: 'First', kind: 'install', commands: 'apt-get install nothing' },
    { line: 15, heading: 'Second', kind: 'debian', commands: 'seen=$(cat file.txt)' },
    {
      line: 19,
      heading: 'Second',
      kind: 'plain',
      commands: 'test "$seen" = here\ntrue\ntest -z "$seen"',
    },
  ]);
  expect(() => blocksOf('```sh fedora\n```')).toThrow('line 1: a block of commands is no fedora');
});

it('blocks are run in one shell in a copy of the tree, and end with the first command that fails', async () => {
  const root = mkdtempSync(join(tmpdir(), 'accord-guide-test-'));
  writeFileSync(join(root, 'file.txt'), 'here');
  const run = (last: string) =>
    runBlocks(
      root,
      blocksOf(guide(last)).filter(({ kind }) => kind !== 'install'),
    );
  try {
    expect(await run('rm file.txt; sleep 1000 & seen=')).toBe(0);
    expect(await run('exit 3')).toBe(3);
    expect(await run('false')).toBe(1);
  } finally {
    rmSync(root, { recursive: true });
  }
});
