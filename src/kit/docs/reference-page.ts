import type { Contract } from '../contract/contract.ts';
import { resolve, type SecurityScheme } from '../contract/openapi-document.ts';
import { type LinkOf, markdown } from './markdown.ts';
import { type Markup, markup } from './markup.ts';
import { deprecatedBadge, mockedBadge } from './mocked-marks.ts';
import type { ReferenceEntry } from './reference-entries.ts';
import { groupId } from './reference-sidebar.ts';
import { broken, schemaHref } from './schema-view.ts';

/** The first page of the reference: every operation and schema, and how to authenticate. */
export function referenceBody(
  { document }: Contract,
  entries: readonly ReferenceEntry[],
  schemas: readonly string[],
  linkOf: LinkOf,
): Markup {
  const about = new Map((document.tags ?? []).map(({ name, description }) => [name, description]));
  const groups = [...Map.groupBy(entries, ({ group }) => group)].map(
    ([group, all]) => markup`<section>
<h2 id="${groupId(group)}">${group}</h2>
${markdown(about.get(group) ?? '', 3, linkOf)}
${entryTable(all)}
</section>\n`,
  );
  const schemes = Object.entries(Object(document.components?.securitySchemes));
  return markup`<h1>REST reference</h1>
${groups}
${
  schemes.length > 0
    ? markup`<section><h2 id="security-schemes">Security schemes</h2>
<dl class="fields">${schemes.map(([name, scheme]) =>
        schemeEntry(name, resolve(document, Object(scheme)), linkOf),
      )}</dl></section>`
    : ''
}
${
  schemas.length > 0
    ? markup`<section><h2 id="schemas">Schemas</h2>
<ul class="names">${schemas.map((name) => markup`<li><a href="${schemaHref(name)}">${broken(name)}</a></li>\n`)}</ul></section>`
    : ''
}`;
}

/** Operations with their methods and paths; on a phone two lines each. */
export function entryTable(entries: readonly ReferenceEntry[]): Markup {
  const rows = entries.map(
    ({ href, place, title, operation, isMocked }) => markup`<li><a class="entry" href="${href}">
<span class="method ${operation.method.toLowerCase()}">${operation.method}</span>
<code class="entry-path">${broken(place)}</code> <span class="does">${title}</span></a>${mockedBadge(isMocked)}${deprecatedBadge(operation.deprecated)}</li>\n`,
  );
  return markup`<ul class="operations">${rows}</ul>`;
}

type Described = SecurityScheme & { readonly description?: string };

function schemeEntry(name: string, scheme: Described, linkOf: LinkOf): Markup {
  return markup`<dt id="scheme-${name}"><code class="field-name">${name}</code> <span class="of">${wayOf(scheme)}</span></dt>
<dd>${markdown(scheme.description ?? '', 3, linkOf)}</dd>\n`;
}

/** How credentials of a scheme are sent. */
export function wayOf(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') {
    const place = scheme.in === 'query' ? 'query parameter' : scheme.in;
    return `key in the ${place} ${scheme.name}`;
  }
  if (scheme.type === 'mutualTLS') return 'client certificate';
  if (scheme.type !== 'http') return 'bearer token in the header Authorization';
  return /^basic$/i.test(scheme.scheme)
    ? 'user and password in the header Authorization'
    : `${scheme.scheme} token in the header Authorization`;
}
