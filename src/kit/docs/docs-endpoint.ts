import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Contract } from '../contract/contract.ts';
import { ApiError } from '../errors.ts';
import { setCarried } from '../http/common-headers.ts';
import { sendAsset } from './asset.ts';
import { examplesIn } from './examples.ts';
import { files } from './files.ts';
import { landingPage } from './landing.ts';
import { markdown } from './markdown.ts';
import { framed, type Page } from './page.ts';
import { schemaPage } from './schema-page.ts';
import { kept, pageText, sendText, type Text, textOf } from './text.ts';
import { graphiqlPage, restPage } from './tools.ts';

export type DocsParts = {
  readonly contract: Contract;
  readonly schema: GraphQLSchema;
  readonly digest: string;
};

type Send = (response: Response) => Promise<void>;

const root = new URL('../../../', import.meta.url);
const report = new URL('artefacts/contract-coverage/report.html', root);

/** The pages under /docs and what they load, all of it from this server. */
export function docsEndpoint({ contract, schema, digest }: DocsParts): RequestHandler {
  const page = (path: string, make: () => Page | Promise<Page>) =>
    kept(async () => pageText(framed(path, await make()), policy()));
  const overview = (hasCoverage: boolean) =>
    page('/docs', () => landingPage({ contract, schema, digest, hasCoverage }));
  const withCoverage = overview(true);
  const withoutCoverage = overview(false);
  const texts: Readonly<Record<string, () => Promise<Text>>> = {
    '/docs': () => (existsSync(report) ? withCoverage() : withoutCoverage()),
    '/docs/rest': page('/docs/rest', () => restPage),
    '/docs/graphql': page('/docs/graphql', () => graphiqlPage),
    '/docs/schema': page('/docs/schema', () => schemaPage(schema)),
    '/docs/changes': page('/docs/changes', async () => ({
      title: 'Changes',
      body: markdown(await text('CHANGELOG.md')),
    })),
    '/docs/examples.json': kept(async () =>
      textOf('json', JSON.stringify(examplesIn(await text('operations.graphql')))),
    ),
  };

  const find = (path: string): Send | undefined => {
    const make = path === '/docs/coverage' && existsSync(report) ? coverageReport : texts[path];
    if (make) return async (to) => sendText(to, await make());
    const file = files.get(path.replace(/^\/docs\/assets\//, ''));
    return file && path.startsWith('/docs/assets/') ? (to) => sendAsset(to, file()) : undefined;
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

/** The report opens from disk too, so its style stands within it: that one is let in by its hash. */
async function coverageReport(): Promise<Text> {
  const html = await readFile(report, 'utf8');
  const style = html.split('<style>')[1]?.split('</style>')[0] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  return pageText(html, policy(`'sha256-${hash}'`));
}

function text(name: string): Promise<string> {
  return readFile(new URL(name, root), 'utf8');
}
