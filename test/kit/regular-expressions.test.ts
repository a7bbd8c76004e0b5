// long: proves each pattern linear
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createPatternCheck } from '../../src/kit/cli/contract/linear-pattern.ts';

const check = createPatternCheck();
const folder = new URL('../../src/', import.meta.url);
// The commands read what their user gives them.
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.startsWith('kit/cli/'),
);

type Expression = { readonly place: string; readonly source: string; readonly flags: string };

/** The regular expressions of a file; `RegExp` itself counts as one that nobody can check. */
function expressionsIn(file: string, text: string): Expression[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const place = `src/${file}:${line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (ts.isTypeReferenceNode(node)) {
      return;
    } else if (ts.isIdentifier(node) && node.text === 'RegExp') {
      found.push({ place, source: '(', flags: '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

// They try the patterns that a contract's author wrote, when the contract is read or mocked.
const ofContracts = new Set([
  ...['kit/contract/schema-check.ts', 'kit/contract/unicode-pattern.ts'],
  ...['kit/mock/pattern-parts.ts', 'kit/mock/pattern-text.ts'],
]);

const all = files
  .flatMap((file) =>
    expressionsIn(file, readFileSync(new URL(file, folder), 'utf8')).map((each) => ({
      ...each,
      file,
    })),
  )
  .filter(({ file, source }) => source !== '(' || !ofContracts.has(file));

describe('every regular expression of the server matches in linear time', () => {
  it.each(all)('$place /$source/$flags', ({ source, flags }) => {
    expect(check(source, flags)).toBeUndefined();
  });

  it('there are some, and one that backtracks or cannot be checked would be found', () => {
    expect(all.length).toBeGreaterThan(40);
    const planted = expressionsIn('x.ts', 'const a = /^(a+)+$/m; const b = new RegExp(name);');
    expect(planted.map(({ place }) => place)).toEqual(['src/x.ts:1', 'src/x.ts:1']);
    for (const { source, flags } of planted) expect(check(source, flags)).toBeDefined();
  });
});
