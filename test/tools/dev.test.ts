import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { errorLines } from '../../src/kit/cli/dev/missing.ts';

const demand = 'type Handlers = { [Id in "a" | "b" | "c" | "d" | "e" | "f"]: 1 };';

/** What npm run dev says of a file. */
function said(text: string): string[] {
  const source = ts.createSourceFile('/root/src/x.ts', text, ts.ScriptTarget.Latest);
  const options = { noLib: true, strict: true, noEmit: true, types: [] };
  const host = { ...ts.createCompilerHost(options), getSourceFile: () => source };
  const program = ts.createProgram([source.fileName], options, host);
  return program.getSemanticDiagnostics(source).flatMap((each) => errorLines(each, '/root'));
}

describe('npm run dev says in one line each', () => {
  it.each([
    ['one handler', '{ a: 1, b: 1, c: 1, d: 1, e: 1 }', ['f']],
    ['two handlers', '{ a: 1, b: 1, c: 1, d: 1 }', ['e', 'f']],
    ['more than the compiler lists', '{}', ['a', 'b', 'c', 'd', '2 more']],
  ])('that %s are missing', (_, handlers, names) => {
    expect(said(`${demand}\nexport const handlers: Handlers = ${handlers};`)).toEqual(
      names.map((name) => `src/x.ts:2 no handler for ${name}`),
    );
  });

  it('what else does not compile', () => {
    expect(said('export const wrong: string = 1;')).toEqual([
      "src/x.ts:1 Type 'number' is not assignable to type 'string'.",
    ]);
  });
});
