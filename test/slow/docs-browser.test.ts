import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { present } from '../../src/kit/errors.ts';
import { useServer } from '../support/api-server.ts';
import { findChromium, launch, openPage, type View } from '../support/browser.ts';
import { serveContract } from '../support/contract-server.ts';

const executable = findChromium();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = 'artefacts/screenshots';

const views: readonly (readonly [name: string, view: View])[] = [
  ['light-desktop', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark-desktop', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['light-phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ['dark-phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
];

const ownPages = ['/docs', '/docs/schema', '/docs/changes'];

describe.skipIf(!executable)('the pages in Chromium (skipped where there is none)', () => {
  const server = useServer({ SEED_DEMO: 'true' });
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    browser = await launch(String(executable));
  });
  afterAll(() => browser?.close());

  describe.each(views)('%s', (name, view) => {
    const open = () => openPage(browser, server.url, view);
    const shot = (page: string) => `${folder}/${page.split('/').at(-1)}-${name}.png`;

    it.each(ownPages)('%s is complete, accessible and quiet', async (path) => {
      const { page, complaints } = await open();
      await page.goto(path);
      await page.getByText('ready', { exact: true }).waitFor();
      await page.screenshot({ path: shot(path), fullPage: true });
      expect(complaints).toEqual([]);
      // Nothing is wider than the window.
      const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(widths)).toBe(0);
      expect(await grave(page)).toEqual([]);
      await page.context().close();
    });

    it('the REST reference runs a call', async () => {
      const { page, complaints } = await open();
      await page.goto('/docs/rest#/books/listBooks');
      await page.getByRole('button', { name: 'Execute', exact: true }).click();
      const answer = page.locator('.live-responses-table');
      await answer.getByText('Invisible Cities').first().waitFor();
      expect(await answer.locator('tbody td.response-col_status').first().innerText()).toContain(
        '200',
      );
      await answer.scrollIntoViewIfNeeded();
      await page.screenshot({ path: shot('rest') });
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    it('GraphiQL runs a query', async () => {
      const { page, complaints } = await open();
      await page.goto('/docs/graphql');
      await page.getByRole('button', { name: /Execute query/ }).click();
      await page.locator('.result-window').getByText('ada@example.com').waitFor();
      await page.screenshot({ path: shot('graphiql') });
      expect(await page.getByRole('tab').count()).toBeGreaterThan(5);
      expect(complaints).toEqual([]);
      await page.context().close();
    });
  });

  describe('trying an operation', () => {
    const [, view] = present(views[0]);
    const tried = async (operation: string, times = 1) => {
      const { page, complaints } = await openPage(browser, server.url, view);
      await page.goto(`/docs/rest#/books/${operation}`);
      const answers = [];
      for (let i = 0; i < times; i++) {
        const answered = page.waitForResponse((answer) => /\/books\b/.test(answer.url()));
        await page.getByRole('button', { name: 'Execute', exact: true }).click();
        answers.push(await answered);
      }
      const text = await page.locator('.parameters').first().innerText();
      await page.context().close();
      expect(complaints).toEqual([]);
      return { answers, text };
    };

    it('sends no Idempotency-Key unless one is filled in: a second POST is another record', async () => {
      const { answers, text } = await tried('createBook', 2);
      expect(answers.map((answer) => answer.status())).toEqual([201, 201]);
      const places = answers.map((answer) => answer.headers().location);
      expect(new Set(places).size).toBe(2);
      for (const answer of answers) {
        expect(answer.request().headers()).not.toHaveProperty('idempotency-key');
      }
      expect(text).toMatch(/Example: \S+/);
    });

    it('fills in no optional parameter of a list, which is then whole', async () => {
      const { answers } = await tried('listBooks');
      const [answer] = answers;
      expect(answer?.url()).toBe(`${server.url}/books`);
      expect((await server.api({ path: '/books' })).json.length).toBeGreaterThan(2);
    });

    it('fills in the required id of a record', async () => {
      const { answers } = await tried('getBook');
      expect(answers.map((answer) => [answer.status(), answer.url()])).toEqual([
        [200, `${server.url}/books/2`],
      ]);
      expect(answers[0]?.request().headers()).not.toHaveProperty('if-none-match');
    });
  });

  it.each(['3.1.0', '3.2.0'])(
    'shows the webhooks and callbacks of another contract of OpenAPI %s',
    async (version) => {
      const responses = "{ '200': { description: Seen. } }";
      const other = await serveContract(
        `{ openapi: ${version}, info: { title: T, version: 1.0.0 },
          paths: { /x: { get: { operationId: start, tags: [a], responses: ${responses},
            callbacks: { done: { '{$request.query.url}': { post: { summary: It is done, responses: ${responses} } } } } } } },
          webhooks: { arrived: { post: { summary: Something new, responses: ${responses} } } } }`,
        { start: () => ({ status: 200 }) },
      );
      const { page, complaints } = await openPage(browser, other.url, present(views[0])[1]);
      await page.goto('/docs');
      for (const text of ['arrived', 'start: done']) await page.getByText(text).waitFor();
      await page.goto('/docs/rest#/a/start');
      await page.getByText('Something new').waitFor();
      await page.getByRole('heading', { name: 'Callbacks', exact: true }).click();
      await page.getByText('It is done').waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
      await other.stop();
    },
  );

  it('/ in a browser is the pages', async () => {
    const { page, complaints } = await openPage(browser, server.url, present(views[0])[1]);
    await page.goto('/');
    expect(page.url()).toBe(`${server.url}/docs`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly object[];
};

/** What axe-core finds on the page that is serious or critical. */
async function grave(page: { evaluate(script: string): Promise<unknown> }): Promise<string[]> {
  await page.evaluate(axe);
  // axe-core's own result, of which the test reads three members.
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => Object(node).html).join(' ')}`);
}
