import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import type { Contract } from '../contract/contract.ts';
import { ApiError } from '../errors.ts';
import type { Exchange, Reply } from '../http/exchange.ts';
import { examplesIn } from './examples.ts';
import { files } from './files.ts';
import { landingPage } from './landing.ts';
import { markdown } from './markdown.ts';
import { framed, type Page } from './page.ts';
import { schemaPage } from './schema-page.ts';
import { fileReply } from './static-file.ts';
import { kept, pageText, type Text, textOf, textReply } from './text.ts';
import { graphiqlPage, restPage } from './tools.ts';

type Parts = {
  readonly contract: Contract;
  readonly schema: GraphQLSchema | undefined;
  readonly digest: string;
  /** The folder with the change log, the example operations and the coverage report. */
  readonly project: URL;
};

const headers = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The pages under /docs and what they load, all of it from this server; undefined for other paths. */
export function createDocsEndpoint(
  parts: Parts,
): (exchange: Exchange) => Promise<Reply> | undefined {
  const find = createPages(parts);
  return (exchange) => {
    const { path, method } = exchange;
    if (path !== '/docs' && !path.startsWith('/docs/')) return undefined;
    const file = files.get(path.replace(/^\/docs\/assets\//, ''));
    const text = find(path);
    if (!text && !(file && path.startsWith('/docs/assets/'))) throw new ApiError('not-found');
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError('method-not-allowed', { headers: { Allow: 'GET, HEAD' } });
    }
    if (text) return text().then((made) => textReply(exchange, made, headers));
    return file && fileReply(exchange, file(), headers);
  };
}

type MakeText = () => Promise<Text>;

function createPages({ contract, schema, digest, project }: Parts) {
  const report = new URL('artefacts/contract-coverage/report.html', project);
  const read = (name: string) => readFile(new URL(name, project), 'utf8');
  const has = (name: string) => existsSync(new URL(name, project));
  const hasChanges = has('CHANGELOG.md');
  const left = new Set([
    ...(schema ? [] : ['/docs/graphql', '/docs/schema']),
    ...(hasChanges ? [] : ['/docs/changes']),
  ]);
  const page = (path: string, make: () => Page | Promise<Page>) =>
    kept(async () => pageText(framed(path, await make(), left), policy()));
  const overview = (hasCoverage: boolean) =>
    page('/docs', () => landingPage({ contract, schema, digest, hasCoverage, hasChanges }));
  const withCoverage = overview(true);
  const withoutCoverage = overview(false);
  const texts: Readonly<Record<string, MakeText>> = {
    '/docs': () => (existsSync(report) ? withCoverage() : withoutCoverage()),
    '/docs/rest': page('/docs/rest', () => restPage),
    ...(schema && {
      '/docs/graphql': page('/docs/graphql', () => graphiqlPage),
      '/docs/schema': page('/docs/schema', () => schemaPage(schema)),
      '/docs/examples.json': kept(async () => {
        const operations = has('operations.graphql') ? await read('operations.graphql') : '';
        const examples = operations === '' ? [] : examplesIn(operations);
        return textOf('application/json; charset=utf-8', JSON.stringify(examples));
      }),
    }),
    ...(hasChanges && {
      '/docs/changes': page('/docs/changes', async () => ({
        title: 'Changes',
        body: markdown(await read('CHANGELOG.md')),
      })),
    }),
  };
  return (path: string): MakeText | undefined =>
    path === '/docs/coverage' && existsSync(report)
      ? () => coverageReport(report)
      : Object.hasOwn(texts, path)
        ? texts[path]
        : undefined;
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
async function coverageReport(report: URL): Promise<Text> {
  const html = await readFile(report, 'utf8');
  const style = html.split('<style>')[1]?.split('</style>')[0] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  return pageText(html, policy(`'sha256-${hash}'`));
}
