import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { Contract } from '../contract/contract.ts';
import type { MockedParts } from '../mocked-parts.ts';
import type { Page } from './docs-page.ts';
import { inline, markdown } from './markdown.ts';
import { type Markup, markup } from './markup.ts';
import { mockedBadge, mockedLine } from './mocked-marks.ts';
import { outgoingTable } from './outgoing-requests.ts';

export type LandingParts = {
  readonly contract: Contract;
  readonly schema: GraphQLSchema | undefined;
  readonly digest: string;
  readonly hasChanges: boolean;
  readonly hasCoverage: boolean;
  readonly mocked?: MockedParts | undefined;
};

/** What the API offers, with its contracts side by side. */
export function landingPage(parts: LandingParts): Page {
  const { contract, schema, digest, hasChanges, hasCoverage, mocked } = parts;
  const { info } = contract.document;
  const hasRest = hasReference(contract);
  const graphiql = markup`
    <a class="button quiet" href="/docs/graphql">Open GraphiQL</a>`;
  const changes = markup`
    <li><a href="/docs/changes">Changes</a> what each version of the contracts brought</li>`;
  const reference = markup`
    <li><a href="/docs/schema">Schema reference</a> every GraphQL type, with a picture</li>`;
  const coverage = markup`<li><a href="/docs/coverage">Contract coverage</a> which parts of the contracts the tests have exercised</li>`;
  const body = markup`
<div class="hero">
  <p class="eyebrow">Contract version ${info.version}</p>
  <h1>${info.title}</h1>
  <p class="lead">${info.summary ?? ''}</p>${mockedLine(mocked)}
  <p class="actions">
    ${hasRest ? markup`<a class="button" href="/docs/rest">Try the REST API</a>` : ''}${schema ? graphiql : ''}
  </p>
</div>
<div class="pair">
  ${hasRest ? restCard(contract, mocked) : ''}${schema ? graphqlCard(schema, mocked) : ''}
</div>
<section class="prose" aria-labelledby="rules">
  <h2 id="rules">What holds everywhere</h2>
  ${markdown(info.description ?? '')}
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

/** Whether there is something for the REST reference to show. */
export function hasReference({ operations, document }: Contract): boolean {
  return operations.length > 0 || document.webhooks !== undefined;
}

function restCard(contract: Contract, mocked: MockedParts | undefined): Markup {
  return markup`<section class="card" aria-labelledby="rest">
    <h2 id="rest">REST <span class="file">openapi.yaml</span></h2>
    <p>Collections of records as JSON over HTTP.</p>
    ${restTable(contract, mocked)}
    ${outgoingTable(contract)}
    <p class="links"><a href="/docs/rest">Reference</a> <a href="/openapi.yaml" download>YAML</a> <a href="/openapi.json" download>JSON</a></p>
  </section>`;
}

function restTable({ operations }: Contract, mocked: MockedParts | undefined): Markup {
  const rows = operations.map(({ id, method, path, object: { summary = '', tags = [] } }) => {
    return markup`<tr><td><span class="method ${method.toLowerCase()}">${method}</span></td>
<td><a href="/docs/rest#/${tags[0] ?? 'default'}/${id}"><code>${path}</code></a></td><td>${summary}${mockedBadge(mocked?.operations.has(id))}</td></tr>\n`;
  });
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="REST operations">
<table class="operations"><thead class="unseen"><tr><th>Method</th><th>Path</th><th>Does</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function graphqlCard(schema: GraphQLSchema, mocked: MockedParts | undefined): Markup {
  return markup`
  <section class="card" aria-labelledby="graphql">
    <h2 id="graphql">GraphQL <span class="file">schema.graphql</span></h2>
    <p>${schema.description ? inline(oneLine(schema.description)) : ''}</p>
    ${graphqlTable(schema, mocked)}
    <p class="links"><a href="/docs/graphql">GraphiQL</a> <a href="/docs/schema">Schema</a> <a href="/schema.graphql" download>SDL</a></p>
  </section>`;
}

function graphqlTable(schema: GraphQLSchema, mocked: MockedParts | undefined): Markup {
  const rows = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field) =>
      fieldRow(String(type?.name), field, mocked?.fields.has(`${type}.${field.name}`)),
    ),
  );
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="GraphQL operations">
<table class="operations"><thead class="unseen"><tr><th>Kind</th><th>Field</th><th>Does</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function fieldRow(
  type: string,
  { name, description }: GraphQLField<unknown, unknown>,
  isMocked: boolean | undefined,
): Markup {
  const [sentence = ''] = oneLine(description ?? '').split(/(?<=[.;,]) /);
  return markup`<tr><td><span class="method ${type.toLowerCase()}">${type}</span></td>
<td><a href="/docs/schema#${type}.${name}"><code>${name}</code></a></td><td>${inline(sentence.replace(/[.;,]$/, ''))}${mockedBadge(isMocked)}</td></tr>\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
