import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { Contract } from '../contract/contract.ts';
import type { MockedParts } from '../mocked-parts.ts';
import type { Page } from './docs-page.ts';
import { inline, markdown } from './markdown.ts';
import { type Markup, markup } from './markup.ts';
import { deprecatedBadge, mockedBadge, mockedLine } from './mocked-marks.ts';
import { referenceEntries } from './reference-entries.ts';
import { entryTable } from './reference-page.ts';
import { broken, schemaHref } from './schema-view.ts';

export type LandingParts = {
  readonly contract: Contract;
  readonly schema: GraphQLSchema | undefined;
  readonly digest: string;
  /** Whether there is a REST reference. */
  readonly hasRest: boolean;
  readonly hasChanges: boolean;
  readonly hasCoverage: boolean;
  readonly mocked?: MockedParts | undefined;
};

/** What the API offers, with its contracts side by side. */
export function landingPage(parts: LandingParts): Page {
  const { contract, schema, digest, hasRest, hasChanges, hasCoverage, mocked } = parts;
  const { info } = contract.document;
  const graphiql = markup`
    <a class="button quiet" href="/docs/graphql">Open GraphiQL</a>`;
  const changes = markup`
    <li><a href="/docs/changes">Changes</a> what each version of the contracts brought</li>`;
  const reference = markup`
    <li><a href="/docs/schema">Schema reference</a> every GraphQL type, with a picture</li>`;
  const coverage = markup`<li><a href="/docs/coverage">Contract coverage</a> which parts of the contracts the tests have exercised</li>`;
  const schemas = new Set(Object.keys(Object(contract.document.components?.schemas)));
  const linkOf = (code: string) => (schemas.has(code) ? schemaHref(code) : undefined);
  const body = markup`
<div class="hero">
  <p class="eyebrow">Contract version ${info.version}</p>
  <h1>${info.title}</h1>
  <p class="lead">${info.summary ?? ''}</p>${mockedLine(mocked)}
  <p class="actions">
    ${hasRest ? markup`<a class="button" href="/docs/rest">REST reference</a>` : ''}${schema ? graphiql : ''}
  </p>
</div>
<div class="pair">
  ${hasRest ? restCard(contract, mocked) : ''}${schema ? graphqlCard(schema, mocked) : ''}
</div>
<section class="prose" aria-labelledby="rules">
  <h2 id="rules">What holds everywhere</h2>
  ${markdown(info.description ?? '', 3, linkOf)}
</section>
<section class="prose" aria-labelledby="more">
  <h2 id="more">For reviewers</h2>
  <ul>${hasChanges ? changes : ''}${schema ? reference : ''}
    ${hasCoverage ? coverage : ''}
    <li><a href="/healthz">/healthz</a> and <a href="/readyz">/readyz</a> how the server is</li>
  </ul>
</section>
<section class="prose" aria-labelledby="digest">
  <h2 id="digest">The digest of ${schema && hasRest ? 'both contracts' : 'the contract'}</h2>
  <p class="digest"><code>${digest}</code></p>
  <p>The same as in the <code>Contract-Digest</code> header of every answer, and as
  <code>cat ${hasRest ? 'openapi.yaml ' : ''}${schema ? 'schema.graphql ' : ''}| sha256sum</code> says.</p>
</section>`;
  return { title: 'Overview', body };
}

function restCard(contract: Contract, mocked: MockedParts | undefined): Markup {
  const groups = [...Map.groupBy(referenceEntries(contract, mocked), ({ group }) => group)];
  return markup`<section class="card" aria-labelledby="rest">
    <h2 id="rest">REST <span class="file">openapi.yaml</span></h2>
    ${groups.map(([group, all]) => markup`<h3>${group}</h3>${entryTable(all)}`)}
    <p class="links"><a href="/docs/rest">Reference</a> <a href="/openapi.yaml" download>YAML</a> <a href="/openapi.json" download>JSON</a></p>
  </section>`;
}

function graphqlCard(schema: GraphQLSchema, mocked: MockedParts | undefined): Markup {
  return markup`
  <section class="card" aria-labelledby="graphql">
    <h2 id="graphql">GraphQL <span class="file">schema.graphql</span></h2>
    <p>${schema.description ? inline(oneLine(schema.description)) : ''}</p>
    ${graphqlLists(schema, mocked)}
    <p class="links"><a href="/docs/graphql">GraphiQL</a> <a href="/docs/schema">Schema</a> <a href="/schema.graphql" download>SDL</a></p>
  </section>`;
}

function graphqlLists(schema: GraphQLSchema, mocked: MockedParts | undefined): Markup[] {
  const roots = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ].filter((type) => type !== undefined && type !== null);
  return roots.map((type) => {
    const rows = Object.values(type.getFields()).map((field) =>
      fieldRow(type.name, field, mocked?.fields.has(`${type}.${field.name}`)),
    );
    return markup`<h3>${type.name}</h3><ul class="operations">${rows}</ul>`;
  });
}

function fieldRow(
  type: string,
  { name, description, deprecationReason }: GraphQLField<unknown, unknown>,
  isMocked: boolean | undefined,
): Markup {
  const [sentence = ''] = oneLine(description ?? '').split(/(?<=[.;,]) /);
  return markup`<li><a class="entry" href="/docs/schema#${type}.${name}"><code class="entry-path">${broken(name)}</code> <span class="does">${inline(sentence.replace(/[.;,]$/, ''))}</span></a>${mockedBadge(isMocked)}${deprecatedBadge(deprecationReason !== undefined && deprecationReason !== null)}</li>\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
