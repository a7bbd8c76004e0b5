import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import type { Contract } from '../contract/contract.ts';
import { ApiError, present } from '../errors.ts';
import type { Reply } from '../http/exchange.ts';
import type { MockedParts } from '../mocked-parts.ts';
import { createAssets } from './assets.ts';
import { framed, type Page } from './docs-page.ts';
import { requireRead } from './root.ts';
import type { Asked } from './static-file.ts';
import { isolation, jsonText, kept, pageText, type Text, textReply } from './text-reply.ts';

export type DocsParts = {
  readonly contract: Contract;
  /** Absent in a server without GraphQL. */
  readonly schema: GraphQLSchema | undefined;
  readonly digest: string;
  readonly mocked?: MockedParts | undefined;
  /** The folder with CHANGELOG.md, operations.graphql and the contract coverage; each may be missing. */
  readonly project: URL;
};

/** Answers what is asked for under /docs; undefined for any other path. */
export type DocsEndpoint = (asked: Asked) => Promise<Reply> | undefined;

type Entry = readonly [path: string, name: string, make: () => Page | Promise<Page>];

/** The pages under /docs and what they load, all of it from this server. */
export function createDocsEndpoint(parts: DocsParts): DocsEndpoint {
  const { contract, schema, digest, project, mocked } = parts;
  const changes = new URL('CHANGELOG.md', project);
  const operations = new URL('operations.graphql', project);
  const report = new URL('artefacts/contract-coverage/report.html', project);
  const hasChanges = existsSync(changes);
  const { operations: own, document } = contract;
  const hasRest = own.length > 0 || document.webhooks !== undefined;
  // What the pages need is loaded when they are read.
  const landing = async (hasCoverage: boolean) => {
    const { landingPage } = await import('./landing.ts');
    return landingPage({ contract, schema, digest, hasRest, hasChanges, hasCoverage, mocked });
  };
  const changesPage = async () => {
    const { markdown } = await import('./markdown.ts');
    return { title: 'Changes', body: markdown(await textAt(changes)) };
  };
  const reference = kept(async () => {
    const { createRestReference } = await import('./rest-reference.ts');
    return createRestReference(contract, { digest, schema }, mocked);
  });
  const restPage = async (path: string) => (await reference()).page(path);
  const pages: readonly Entry[] = [
    ['/docs', 'Overview', () => landing(false)],
    ...(hasRest
      ? [['/docs/rest', 'REST', async () => present(await restPage('/docs/rest'))] as const]
      : []),
    ...(schema ? graphqlPages(schema, mocked) : []),
    ...(hasChanges ? [['/docs/changes', 'Changes', changesPage] as const] : []),
  ];
  const site = { brand: document.info.title, places: pages };
  const page = (path: string, make: Entry[2]) =>
    kept(async () => pageText(framed(site, path, await make()), policy()));
  const texts = new Map(pages.map(([path, , make]) => [path, page(path, make)]));
  const withReport = new Map([
    ['/docs', page('/docs', () => landing(true))],
    ['/docs/coverage', () => reportText(report)],
  ]);
  const examples = async () => {
    const { examplesIn } = await import('./examples.ts');
    return existsSync(operations) ? examplesIn(await textAt(operations)) : [];
  };
  if (schema)
    texts.set(
      '/docs/examples.json',
      kept(async () => jsonText(await examples())),
    );
  if (hasRest) {
    texts.set(
      '/docs/rest.json',
      kept(async () => jsonText((await reference()).index)),
    );
  }
  const assets = createAssets();

  /** Of the many pages of the reference, only those that are asked for are made. */
  async function referenceText(path: string): Promise<(() => Promise<Text>) | undefined> {
    if (!path.startsWith('/docs/rest/') || !hasRest) return undefined;
    const made = await restPage(path);
    return made && (async () => pageText(framed(site, path, made), policy()));
  }

  async function answer(asked: Asked): Promise<Reply> {
    const { path, method } = asked;
    const make =
      (existsSync(report) && withReport.get(path)) ||
      texts.get(path) ||
      (await referenceText(path));
    const serve = make ? async () => textReply(await make(), asked) : assets.get(path);
    if (!serve) throw new ApiError('not-found');
    requireRead(method);
    const reply = await serve(asked);
    return { ...reply, headers: { ...isolation, ...reply.headers } };
  }

  return (asked) => (/^\/docs(\/|$)/.test(asked.path) ? answer(asked) : undefined);
}

function graphqlPages(schema: GraphQLSchema, mocked: MockedParts | undefined): Entry[] {
  return [
    ['/docs/graphql', 'GraphiQL', async () => (await import('./graphiql-page.ts')).graphiqlPage],
    [
      '/docs/schema',
      'Schema',
      async () => (await import('./schema-page.ts')).schemaPage(schema, mocked),
    ],
  ];
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

/** The report also opens from disk, so it has its style inline, which is allowed by its hash. */
async function reportText(report: URL): Promise<Text> {
  const html = await textAt(report);
  const style = html.split('<style>')[1]?.split('</style>')[0] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  return pageText(html, policy(`'sha256-${hash}'`));
}

function textAt(file: URL): Promise<string> {
  return readFile(file, 'utf8');
}
