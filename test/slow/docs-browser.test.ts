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
  ['light-desktop', { colorScheme: 'light', viewport: { width: 1400, height: 900 } }],
  ['dark-desktop', { colorScheme: 'dark', viewport: { width: 1400, height: 900 } }],
  ['light-phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ['dark-phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
];

const ownPages = [
  ...['/docs', '/docs/schema', '/docs/changes', '/docs/rest', '/docs/rest/listBooks'],
  ...['/docs/rest/createBook', '/docs/rest/schemas/Problem'],
];
const galaxyPages = [
  ...['/docs', '/docs/rest', '/docs/rest/createPlanet', '/docs/rest/uploadImage'],
  '/docs/rest/webhook%20newPlanet%20post',
];
const galaxy = readFileSync(new URL(import.meta.resolve('@scalar/galaxy/3.1.json')), 'utf8');

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
    const shot = (page: string) =>
      `${folder}/${page.replace(/^\/docs\/?/, '').replaceAll(/\W+/g, '-') || 'overview'}-${name}.png`;

    it.each(ownPages)('%s is complete, accessible and quiet', async (path) => {
      await look(await open(), path, shot(path));
    });

    it('the pages of another contract are too', async () => {
      const other = await serveContract(galaxy, {}, { mocks: true, lenient: true });
      for (const path of galaxyPages) {
        await look(await openPage(browser, other.url, view), path, shot(`galaxy${path}`));
      }
      await other.stop();
    });

    it('the REST reference runs a call', async () => {
      const { page, complaints } = await open();
      await page.goto('/docs/rest/listBooks');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const answer = page.locator('.answer');
      await answer.getByText('Invisible Cities').first().waitFor();
      expect(await answer.locator('.outcome').innerText()).toMatch(/^200 OK in \d+ ms$/);
      await answer.scrollIntoViewIfNeeded();
      await page.screenshot({ path: shot('rest-answer') });
      expect(await violations(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    it('the search finds operations and schemas', async () => {
      const { page, complaints } = await open();
      await page.goto('/docs/rest');
      await page.keyboard.press('/');
      await page.keyboard.type('replace book');
      await page.getByRole('link', { name: 'Replace a book PUT /books/{id}' }).waitFor();
      await page.screenshot({ path: shot('rest-search') });
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/rest/replaceBook');
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
      // An address of the reference that this one replaced.
      await page.goto(`/docs/rest#/books/${operation}`);
      await page.waitForURL(`**/docs/rest/${operation}`);
      const answers = [];
      for (let i = 0; i < times; i++) {
        const answered = page.waitForResponse((answer) =>
          /^[^#?]*:\d+\/books\b/.test(answer.url()),
        );
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        answers.push(await answered);
      }
      await page.context().close();
      expect(complaints).toEqual([]);
      return answers;
    };

    it('sends no Idempotency-Key unless one is filled in: a second POST is another record', async () => {
      const answers = await tried('createBook', 2);
      expect(answers.map((answer) => answer.status())).toEqual([201, 201]);
      const places = answers.map((answer) => answer.headers().location);
      expect(new Set(places).size).toBe(2);
      for (const answer of answers) {
        expect(answer.request().headers()).not.toHaveProperty('idempotency-key');
      }
    });

    it('fills in no optional parameter of a list, which is then whole', async () => {
      const answers = await tried('listBooks');
      const [answer] = answers;
      expect(answer?.url()).toBe(`${server.url}/books`);
      expect((await server.api({ path: '/books' })).json.length).toBeGreaterThan(2);
    });

    it('fills in the required id of a record', async () => {
      const answers = await tried('getBook');
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
      await page.goto('/docs/rest');
      await page.locator('.page').getByText('Something new').click();
      await page.getByRole('heading', { name: 'Something new', exact: true }).waitFor();
      await page.getByRole('link', { name: 'It is done' }).first().waitFor({ state: 'attached' });
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

type Opened = Awaited<ReturnType<typeof openPage>>;

/** A page fits its window, is accessible, loads nothing from elsewhere and has nothing to complain of. */
async function look({ page, complaints }: Opened, path: string, shot: string): Promise<void> {
  await page.goto(path);
  await page.getByText('ready', { exact: true }).waitFor();
  await page.screenshot({ path: shot, fullPage: true });
  expect(complaints).toEqual([]);
  // Nothing is wider than the window.
  const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(widths)).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.context().close();
}

type Violation = { readonly id: string; readonly nodes: readonly object[] };

/** What axe-core finds on the page. */
async function violations(page: { evaluate(script: string): Promise<unknown> }): Promise<string[]> {
  await page.evaluate(axe);
  // axe-core's own result, of which the test reads two members.
  const { violations: found } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => Object(node).html).join(' ')}`);
}
