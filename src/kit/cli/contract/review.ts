import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { contractDigest } from '../../contract/contract.ts';
import { type Markup, markup } from '../../docs/markup.ts';
import type { Report } from '../coverage/coverage-report.ts';
import { affectedExamples, affectedOperations, isTouched } from './affected.ts';
import { affectedMethods, sdkSection } from './affected-sdk.ts';
import type { Change } from './change.ts';
import { type Contracts, documentOf, schemaOf } from './contract-texts.ts';
import { diffContracts } from './diff.ts';
import { diffSection } from './diff-format.ts';
import { type Exchange, exchange, requestsFor } from './example-exchange.ts';
import { parity } from './parity.ts';
import { standalone } from './standalone.ts';

const root = pathToFileURL(`${process.cwd()}/`);

/** One page on a change, for those who say yes or no to it. */
export async function reviewPacket(before: Contracts, after: Contracts): Promise<string> {
  const diff = await diffContracts(before, after);
  const operations = affectedOperations(before, after);
  const examples = affectedExamples(after, exampleOperations(), diff.changes);
  const methods = affectedMethods(
    before,
    after,
    operations.map(({ id }) => id),
    examples.map(({ name }) => name),
  );
  const entries: Markup[] = [];
  for (const operation of operations) {
    const { id, method, path } = operation;
    const document = documentOf(after);
    const requests = document ? requestsFor(document, operation) : [];
    entries.push(await entry(`${method} ${path}`, id, requests, after));
  }
  for (const { name, about, query, variables } of examples) {
    const body = { query, ...(variables && { variables: JSON.parse(variables) }) };
    entries.push(await entry(name, about, [{ method: 'POST', path: '/graphql', body }], after));
  }
  return standalone(
    `Contract review: ${before.name} → ${after.name}`,
    markup`${diffSection(diff)}
<h2>Affected operations</h2>
<p class="note">Each request was sent to the server as this change leaves it, with the demo data; below it stands what came back.</p>
${entries.length > 0 ? entries : markup`<p>None: no request and no answer is other than it was.</p>`}
<h2>Affected SDK methods</h2>
${sdkSection(methods)}
<h2>Do the two contracts agree?</h2>
${paritySection(after)}
<h2>Tests of what changed</h2>
${coverageSection(
  operations.map(({ id }) => id),
  diff.changes,
)}
<h2>The contracts</h2>
<table><tr><th>Before</th><td><code>${contractDigest(before.bundle ?? before.openapi, before.sdl)}</code></td></tr>
<tr><th>After</th><td><code>${contractDigest(after.bundle ?? after.openapi, after.sdl)}</code></td></tr></table>`,
  );
}

type Requests = ReturnType<typeof requestsFor>;

/** The operations in operations.graphql, where the project has it. */
function exampleOperations(): string {
  const file = new URL('operations.graphql', root);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function entry(
  title: string,
  note: string,
  requests: Requests,
  { files }: Contracts,
): Promise<Markup> {
  const exchanges: Exchange[] = [];
  for (const request of requests) exchanges.push(await exchange(request, files));
  return markup`<h3>${title}</h3><p class="note">${note}</p>
${exchanges.map(({ request, answer }) => markup`<div class="exchange"><pre>${request}</pre><pre>${answer}</pre></div>\n`)}`;
}

function paritySection(contracts: Contracts): Markup {
  const [document, schema] = [documentOf(contracts), schemaOf(contracts)];
  if (!document || !schema) return markup`<p>There is one contract alone.</p>`;
  const differences = parity(document, schema);
  const contradictions = differences.filter(({ reason }) => !reason).length;
  const rows = differences.map(
    ({ entity, field, message, reason }) =>
      markup`<tr><td><code>${entity}.${field}</code></td><td>${message}</td><td>${reason ?? 'no reason is given'}</td></tr>\n`,
  );
  return markup`<p class="verdict ${contradictions > 0 ? 'breaking' : 'safe'}">${
    contradictions > 0
      ? `They contradict each other in ${contradictions} places.`
      : 'Yes: wherever they differ, they say why.'
  }</p>
<table><tr><th>Field</th><th>REST and GraphQL</th><th>Why</th></tr>${rows}</table>`;
}

/** How often the tests have met the parts of what changed, where they have left a report. */
function coverageSection(ids: readonly string[], changes: readonly Change[]): Markup {
  const file = new URL('artefacts/contract-coverage/report.json', root);
  if (!existsSync(file))
    return markup`<p>There is no report yet: <code>npm test</code> writes it.</p>`;
  const { sections }: Report = JSON.parse(readFileSync(file, 'utf8'));
  const rows = sections
    .flatMap(({ parts }) => parts)
    .filter(({ name }) => ids.some((id) => name.startsWith(`${id} `)) || isTouched(name, changes))
    .map(
      ({ name, count, reason }) =>
        markup`<tr><td><code>${name}</code></td><td>${count}</td><td>${reason ?? ''}</td></tr>\n`,
    );
  if (rows.length === 0) return markup`<p>No operation changed, so there is none to test.</p>`;
  return markup`<table><tr><th>Part</th><th>Requests</th><th>Why none can</th></tr>${rows}</table>`;
}
