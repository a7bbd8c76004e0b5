import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parseContract } from '../src/contract/contract.ts';
import { examplesIn } from '../src/docs/examples.ts';
import { landingPage } from '../src/docs/landing.ts';
import { markdown } from '../src/docs/markdown.ts';
import { framed } from '../src/docs/page.ts';
import { schemaPage } from '../src/docs/schema-page.ts';

const bare = buildSchema(`
  scalar Date
  input Range { from: Date }
  interface Node { id: ID! }
  type Query { shelf(range: Range): Shelf, old: Int @deprecated(reason: "Ask for <new>.") }
  type Shelf implements Node { id: ID!, above: Shelf, made: Date }
`);

describe('pages of contracts that say little', () => {
  it('show a schema without words, with a circle in it and without mutations', () => {
    const { html } = schemaPage(bare).body;
    expect(html).toContain('Deprecated: Ask for &#60;new&#62;.');
    expect(html).toContain('The types: Query leads to Shelf; Shelf leads to Shelf.');
    expect(html.match(/<rect /g)).toHaveLength(2);
    for (const kind of ['scalar', 'input', 'interface', 'type'])
      expect(html).toContain(`>${kind}<`);
  });

  it('show an API without summaries and tags', async () => {
    const operation = "{ operationId: look, responses: { '200': { description: Seen. } } }";
    const text = `{ openapi: 3.1.0, info: { title: A & B, version: 1.0.0 }, paths: { /x: { get: ${operation} } } }`;
    const contract = await parseContract(text);
    const page = landingPage({ contract, schema: bare, digest: 'd', hasCoverage: false });
    const html = framed('/docs', page);
    expect(html).toContain('<h1>A &#38; B</h1>');
    expect(html).toContain('href="/docs/rest#/default/look"');
    expect(html).not.toContain('/docs/coverage');
  });

  it('show headings, lists, code and emphasis, and nothing that was not escaped', () => {
    const { html } = markdown('# A\n\n## B\n- one\n  line\n- `x<y`\n\n### C\n**d** & e');
    expect(html.replaceAll('\n', '')).toBe(
      '<h1>A</h1><h2>B</h2><ul><li>one line</li><li><code>x&#60;y</code></li></ul>' +
        '<h3>C</h3><p><strong>d</strong> &#38; e</p>',
    );
  });

  it('take examples with and without names and words', () => {
    expect(examplesIn('{ a }\n\nfragment F on T { b }')).toEqual([
      { name: '', about: '', query: '{ a }\n', variables: '' },
    ]);
  });
});
