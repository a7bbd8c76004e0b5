import type { Contract } from '../contract/contract.ts';
import { present } from '../errors.ts';
import { createLru } from '../lru.ts';
import type { MockedParts } from '../mocked-parts.ts';
import type { ModelSources } from '../sdk/model.ts';
import type { Page } from './docs-page.ts';
import { type LinkOf, markdown } from './markdown.ts';
import { type Markup, markup } from './markup.ts';
import { operationBody } from './operation-page.ts';
import { operationHref, type ReferenceEntry, referenceEntries } from './reference-entries.ts';
import { referenceBody } from './reference-page.ts';
import { referenceSidebar } from './reference-sidebar.ts';
import { createSampleThread } from './sample-thread.ts';
import { termsOf } from './schema-terms.ts';
import { createSchemaView, schemaHref } from './schema-view.ts';
import { kept } from './text-reply.ts';

export type RestReference = {
  /** A page by its path; undefined where there is none. */
  page(path: string): Promise<Page> | undefined;
  /** What the search looks through: address, title, and words to find it by. */
  readonly index: readonly (readonly [href: string, title: string, words: string])[];
};

/** So many pages are kept. */
const MOST_PAGES = 50;

/** The pages of the REST reference: one that lists all, and one for each operation, webhook and schema. */
export function createRestReference(
  contract: Contract,
  sources: Omit<ModelSources, 'document'>,
  mocked: MockedParts | undefined,
): RestReference {
  const { document } = contract;
  const entries = referenceEntries(contract, mocked);
  const byHref = new Map(entries.map((entry) => [entry.href, entry]));
  const schemas = Object.entries(Object(document.components?.schemas));
  const byPath = new Map(schemas.map(([name, schema]) => [schemaHref(name), { name, schema }]));
  const linkOf = nameLinks(byHref, byPath);
  const view = createSchemaView(document, linkOf);
  const samplesOf = createSampleThread({ document, ...sources });
  const names = schemas.map(([name]) => name);

  const framed = (title: string, body: Markup, current?: ReferenceEntry): Page => ({
    title,
    isWide: true,
    styles: ['reference.css'],
    modules: ['reference.js'],
    body: markup`<div class="reference">${referenceSidebar(entries, current, names.length)}
<article class="page">${body}</article></div>`,
  });

  async function operationPage(entry: ReferenceEntry): Promise<Page> {
    // Without programs the rest of the page is still of use.
    const samples = entry.isSent
      ? undefined
      : await samplesOf(entry.operation.id).catch((error: unknown) => String(error));
    const hasOperation = (id: string) => byHref.has(operationHref(id));
    const body = operationBody({ document, entry, view, linkOf, samples, hasOperation });
    return framed(entry.title, body, entry);
  }

  function schemaPage({ name, schema }: { readonly name: string; readonly schema: unknown }): Page {
    const { description = '' } = Object(schema);
    const terms = termsOf(Object(schema));
    const body = markup`<p class="eyebrow">Schema</p><h1>${name}</h1>
${markdown(String(description), 2, linkOf)}
<p class="media"><span class="of">${view.type(Object(schema))}</span>${terms.map((each) => markup`; ${each}`)}</p>
${view.members(Object(schema))}`;
    return framed(name, body);
  }

  const made = createLru(MOST_PAGES, (path: string) =>
    kept(async () => {
      const entry = byHref.get(path);
      return entry ? operationPage(entry) : schemaPage(present(byPath.get(path)));
    }),
  );

  return {
    page: (path) => {
      if (path === '/docs/rest') {
        const body = referenceBody(contract, entries, names, linkOf);
        return Promise.resolve(framed('REST reference', body));
      }
      return byHref.has(path) || byPath.has(path) ? made(path)() : undefined;
    },
    index: [
      ...entries.map(
        ({ href, title, place, operation }) =>
          [href, title, `${operation.method} ${place} ${operation.id}`] as const,
      ),
      ...names.map((name) => [schemaHref(name), name, 'schema'] as const),
    ],
  };
}

/** Code in descriptions that names an operation or a schema leads to it. */
function nameLinks(
  operations: ReadonlyMap<string, unknown>,
  schemas: ReadonlyMap<string, unknown>,
): LinkOf {
  return (code) =>
    [schemaHref(code), operationHref(code)].find(
      (href) => operations.has(href) || schemas.has(href),
    );
}
