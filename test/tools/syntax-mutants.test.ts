import { expect, test } from 'vitest';
import { mutantsOf, mutated } from '../../tools/mutations/syntax-mutants.ts';

test.each([
  ['a bound', 'const MOST = 10;', ['const MOST = 11;']],
  ['a comparison', 'f(() => a < b);', ['f(() => a <= b);', 'f(() => true);', 'f(() => false);']],
  ['a condition', 'if (a) b = 1;', ['if (true) b = 1;', 'if (false) b = 1;']],
  ['a negation', 'a = !b;', ['a = b;']],
  ['a default', 'a = b ?? c;', ['a = b;']],
  ['two conditions', 'a = b && c;', ['a = b || c;']],
  ['an equality', 'a = b === c;', ['a = b !== c;']],
  ['a sum', 'a = b + c - d;', ['a = b - c - d;', 'a = b + c + d;']],
  ['a unit', 'a = b * 1000 / c;', ['a = b / 1000 / c;', 'a = b * 1000 * c;']],
  ['a call', 'stop();', ['undefined;']],
  ['a wait', 'a = await stop();', ['a = stop();']],
  ['a returned value', 'function a() { return b(); }', ['function a() { return undefined; }']],
  ['a returned text', "f(() => 'b');", ["f(() => '');"]],
  ['arguments', 'a = f(b, c);', ['a = f(c, b);']],
  ['a list', 'a = [b, c];', ['a = [c];', 'a = [b, ];']],
  ['a table', "a = { 'x': b, 'y': c };", ["a = { 'y': c };", "a = { 'x': b,  };"]],
])('mutants of %s', (_, text, expected) => {
  const made = mutantsOf('src/kit/http/a.ts', text).map((mutant) => mutated(text, mutant));
  expect(made).toEqual(expect.arrayContaining(expected));
});

test('types, imports, what is taken apart and what has no order have no mutants', () => {
  const text = "import { a } from './b.ts';\ntype C = [1, 2];\n[a, c] = d;\ne = Math.max(a, c);\n";
  expect(mutantsOf('src/kit/http/a.ts', text)).toEqual([]);
});

test('a mutant keeps its id while its line does, and knows its room', () => {
  const [mutant] = mutantsOf('src/kit/http/a.ts', 'a = b > c;');
  const [moved] = mutantsOf('src/kit/http/a.ts', 'a = 1;\n\na = b > c;');
  expect(moved).toMatchObject({ id: mutant?.id, line: 3, room: 'http' });
  expect(mutantsOf('src/api/a.ts', 'a = b > c;')).toMatchObject([{ room: 'api' }]);
  expect(mutantsOf('src/kit/a.ts', 'a = b > c;')).toMatchObject([{ room: 'kit' }]);
});
