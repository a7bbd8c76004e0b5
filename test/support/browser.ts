import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Chromium is. Debian's is installed when that can be done; without one, CI fails. */
export function findChromium(): string | undefined {
  const found = places.find(existsSync) ?? installed();
  if (!found && process.env.CI === 'true') throw new Error('CI needs Chromium and found none');
  return found;
}

function installed(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  spawnSync('sh', ['-c', 'apt-get update && apt-get install -y chromium'], { stdio: 'inherit' });
  return places.find(existsSync);
}

export function launch(executablePath: string): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args, timeout: 0 });
}

export type View = {
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
};

/** A page without a past, and what it complains of: errors, and requests to anybody but its server. */
export async function openPage(
  browser: Browser,
  url: string,
  view: View,
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ baseURL: url, ...view, reducedMotion: 'reduce' });
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== url)
      complaints.push(request.url());
  });
  return { page, complaints };
}
