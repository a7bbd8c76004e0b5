import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTestRunner } from '../../tools/mutations/test-runner.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-runner-'));
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
const files: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  '.vitest.config.ts': `export default { test: { projects: [
    { test: { name: 'one', include: ['*.test.ts'], isolate: false } } ] } };`,
  'sum.ts': 'export const sum = (a: number, b: number) => a + b;',
  'sum.test.ts': `import { expect, test } from 'vitest';
    import { sum } from './sum.ts';
    test('sums', () => { expect(sum(1, 2)).toBe(3); });`,
  'other.test.ts': `import { test } from 'vitest'; test('passes', () => {});`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

const runner = createTestRunner(folder);
const run = (seconds = 1) =>
  runner.failingTest({ project: 'one', files: ['sum.test.ts', 'other.test.ts'], seconds });
const right = files['sum.ts'] ?? '';

afterAll(async () => {
  await runner.stop();
  rmSync(folder, { recursive: true });
});

test('the first test that fails is named, and passes once the change is taken back', async () => {
  expect(await run()).toBeUndefined();
  runner.write('sum.ts', right.replace('+', '-'));
  expect(await run()).toBe('sum.test.ts > sums');
  runner.write('sum.ts', right);
  expect(await run()).toBeUndefined();
  expect(readFileSync(join(folder, 'sum.ts'), 'utf8')).toBe(right);
});

test('errors of a module and outside the tests are noticed', async () => {
  runner.write('sum.ts', `${right} throw new Error('not loaded');`);
  expect(await run()).toBe('sum.test.ts > not loaded');
  runner.write('sum.ts', `${right} Promise.reject(new Error('nobody waits for it'));`);
  expect(await run()).toBe('nobody waits for it');
});

test('tests that hang end with their process, and the next run has another', async () => {
  runner.write('sum.ts', `${right} for (;;) {}`);
  // Sixty seconds are for the start.
  expect(await run(-14)).toBe('sum.test.ts other.test.ts > end vitest or take too long');
  runner.write('sum.ts', right);
  expect(await run()).toBeUndefined();
});
