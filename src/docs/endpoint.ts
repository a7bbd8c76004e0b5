import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Contract } from '../contract/contract.ts';
import { ApiError } from '../errors.ts';
import { setCarried } from '../http/common-headers.ts';
import { examplesIn } from './examples.ts';
import { files } from './files.ts';
import { landingPage } from './landing.ts';
import { markdown } from './markdown.ts';
import { framed, type Page } from './page.ts';
import { schemaPage } from './schema-page.ts';
import { graphiqlPage, restPage } from './tools.ts';

export type DocsParts = {
  readonly contract: Contract;
  readonly schema: GraphQLSchema;
  readonly digest: string;
};

type Send = (response: Response) => Promise<void> | void;

const root = new URL('../../', import.meta.url);
const report = new URL('artefacts/contract-coverage/report.html', root);

/** The pages under /docs and what they load, all of it from this server. */
export function docsEndpoint({ contract, schema, digest }: DocsParts): RequestHandler {
  const pages: Readonly<Record<string, () => Page | Promise<Page>>> = {
    '/docs': () => landingPage({ contract, schema, digest, hasCoverage: existsSync(report) }),
    '/docs/rest': () => restPage,
    '/docs/graphql': () => graphiqlPage,
    '/docs/schema': () => schemaPage(schema),
    '/docs/changes': async () => ({ title: 'Changes', body: markdown(await text('CHANGELOG.md')) }),
  };

  const find = (path: string): Send | undefined => {
    const page = pages[path];
    if (page) return async (to) => sendPage(to, framed(path, await page()), policy());
    if (path === '/docs/examples.json') {
      return async (to) => void to.json(examplesIn(await text('operations.graphql')));
    }
    if (path === '/docs/coverage' && existsSync(report)) return sendReport;
    const file = files.get(path.replace(/^\/docs\/assets\//, ''));
    return file && path.startsWith('/docs/assets/') ? (to) => to.sendFile(file()) : undefined;
  };

  return async (request, response, next) => {
    const { path, method } = request;
    if (path !== '/docs' && !path.startsWith('/docs/')) return next();
    const sendIt = find(path);
    if (!sendIt) throw new ApiError('not-found');
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError('method-not-allowed', { headers: { Allow: 'GET, HEAD' } });
    }
    setCarried(response);
    response.set({
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    await sendIt(response);
  };
}

/** What a page may load and do: only what this server has, and no script or style within the page. */
function policy(style = "'self'"): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendPage(response: Response, html: string, contentPolicy: string): void {
  response.set('Content-Security-Policy', contentPolicy).type('html').send(html);
}

/** The report opens from disk too, so its style stands within it: that one is let in by its hash. */
async function sendReport(response: Response): Promise<void> {
  const html = await readFile(report, 'utf8');
  const [, style = ''] = html.match(/<style>(.*?)<\/style>/s) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  sendPage(response, html, policy(`'sha256-${hash}'`));
}

function text(name: string): Promise<string> {
  return readFile(new URL(name, root), 'utf8');
}
