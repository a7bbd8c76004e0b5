import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launch, openPage, type View } from '../support/browser.ts';

const executable = findChromium();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = 'artefacts/screenshots';
const address = pathToFileURL('docs/review-example.html').href;

const views: readonly (readonly [name: string, view: View])[] = [
  ['light-desktop', { colorScheme: 'light', viewport: { width: 1400, height: 900 } }],
  ['dark-desktop', { colorScheme: 'dark', viewport: { width: 1400, height: 900 } }],
  ['light-phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ['dark-phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
];

describe.skipIf(!executable)('the review in Chromium (skipped where there is none)', () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    browser = await launch(String(executable));
  });
  afterAll(() => browser?.close());

  const shown = (page: Page) => page.locator('details.part:visible').count();

  it.each(views)('%s: loads nothing, fits its window and is accessible', async (name, view) => {
    const { page, complaints } = await openPage(browser, address, view);
    await page.goto(address);
    await page.locator('#open').click();
    await page.screenshot({ path: `${folder}/review-${name}.png`, fullPage: true });
    expect(complaints.filter((each) => each !== address)).toEqual([]);
    const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(widths)).toBe(0);
    // The page forbids scripts from elsewhere, so the checks come as an expression.
    await page.evaluate(axe);
    const found = 'axe.run().then(({ violations }) => violations.map(({ id }) => id))';
    expect(await page.evaluate(found)).toEqual([]);
    await page.context().close();
  });

  it('is filtered by reader and by words, and read by keyboard', async () => {
    const { page } = await openPage(browser, address, {
      colorScheme: 'light',
      viewport: { width: 1400, height: 900 },
    });
    await page.goto(address);
    const all = await shown(page);
    await page.getByRole('button', { name: 'Security' }).click();
    const security = await shown(page);
    expect(security).toBeGreaterThan(0);
    expect(security).toBeLessThan(all);
    await page.keyboard.press('1');
    expect(await shown(page)).toBe(all);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing has this text');
    expect(await shown(page)).toBe(0);
    await page.locator('#none').waitFor({ state: 'visible' });
    await page.locator('#search').fill('');
    await page.locator('#search').blur();
    await page.keyboard.press('c');
    expect(await page.locator('details.part[open]').count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    expect(await page.locator('details.part[open]').count()).toBe(1);
    await page.context().close();
  });
});
