import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { type Change, changesOf } from './changes.ts';
import { textDigest } from './file-digest.ts';

/** One change to one place of a file. */
export type Mutant = Change & {
  /** The same as long as the line, the change and their order in the file are. */
  readonly id: string;
  readonly file: string;
  /** Of the file's text. */
  readonly digest: string;
  /** The folder of the kit, or `api`; `kit` for the files that lie beside the folders. */
  readonly room: string;
  readonly line: number;
  /** The text of that line. */
  readonly source: string;
  readonly before: string;
};

/** Every mutant of the kit and the API, in the order of files and places. */
export function allMutants(): Mutant[] {
  const files = globSync(['src/kit/**/*.ts', 'src/api/**/*.ts']).toSorted();
  return files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
}

export function mutantsOf(file: string, text: string): Mutant[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (isInert(node)) return;
    changes.push(...changesOf(node));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  changes.sort((a, b) => a.start - b.start || a.end - b.end);
  return named(file, text, changes);
}

/** The file's text with the change. */
export function mutated(text: string, { start, end, after }: Change): string {
  return text.slice(0, start) + after + text.slice(end);
}

function named(file: string, text: string, changes: readonly Change[]): Mutant[] {
  const lines = text.split('\n');
  const digest = textDigest(text);
  const room = roomOf(file);
  const counts = new Map<string, number>();
  return changes.map((change) => {
    const line = text.slice(0, change.start).split('\n').length;
    const source = (lines[line - 1] ?? '').trim();
    const before = text.slice(change.start, change.end);
    const key = [file, change.kind, source, before, change.after].join('\u0000');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const id = textDigest(`${key}\u0000${count}`).slice(0, 10);
    return { ...change, id, file, digest, room, line, source, before };
  });
}

function roomOf(file: string): string {
  return file.match(/^src\/kit\/([^/]+)\//)?.[1] ?? file.match(/^src\/([^/]+)\//)?.[1] ?? '';
}

// Nothing of these is there when the program runs, or the program does not load without it.
function isInert(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}
