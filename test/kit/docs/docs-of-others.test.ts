// engines: sqlite
// long: reads the docs of every contract in development packages
import { expect, it } from 'vitest';
import { createOperationSamples } from '../../../src/kit/docs/operation-samples.ts';
import { distinctContracts } from '../../../tools/support/foreign-contracts.ts';
import { crawlDocs } from '../../support/docs-crawl.ts';
import { serveMock } from '../../support/mock-server.ts';

// Two are refused, and one has a path /docs of its own.
const unserved = /openapi-workshop\/.*post\.json|schema-validation-local|readme-legacy/;
const served = distinctContracts().filter(({ name }) => !unserved.test(name));

it.each(served)('the docs of $name have every page that they link to', async ({ file }) => {
  const server = await serveMock({ openapi: file });
  try {
    const { pages, missing } = await crawlDocs(server.url);
    // A description of Scalar's links to places of its own reference.
    expect(missing.filter((link) => !link.includes('#tag/'))).toEqual([]);
    for (const [path, html] of pages) {
      expect([path, html.match(/\[object Object\]|>NaN/)]).toEqual([path, null]);
    }
    const { document, operations } = server.contract;
    const samplesOf = createOperationSamples({ document, digest: '', schema: undefined });
    for (const { id } of operations) {
      const { curl, TypeScript, Python } = samplesOf(id)?.programs ?? {};
      expect([id, curl, TypeScript, Python]).toEqual([id, ...Array(3).fill(expect.any(String))]);
    }
    expect(server.failures).toEqual([]);
  } finally {
    await server.stop();
  }
});
