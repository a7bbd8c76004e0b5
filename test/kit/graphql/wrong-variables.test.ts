// engines: sqlite
import { expect, it, vi } from 'vitest';
import { useServer } from '../../support/api-server.ts';

const { graphql } = useServer({ SEED_DEMO: 'true' });

it('few of very many wrong values of a variable are made errors, however often the document was sent', async () => {
  const document = 'query ($by: [BookSort!]) { books(sort: $by) { id } }';
  const variables = { by: Array(20_000).fill(0) };
  // graphql calls it for each error.
  const captured = vi.spyOn(Error, 'captureStackTrace');
  // The second time there is a plan for one statement, the tenth time the operation is compiled.
  for (let i = 0; i < 12; i++) {
    captured.mockClear();
    const { json } = await graphql(document, variables);
    expect(Object(json).errors.length).toBeGreaterThan(0);
    expect(captured.mock.calls.length).toBeLessThan(1000);
  }
});
