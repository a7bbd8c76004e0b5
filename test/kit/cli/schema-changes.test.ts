// engines: sqlite
import { describe, expect, it } from 'vitest';
import { changesText } from '../../support/changes-text.ts';
import { type SchemaChange, schemaChanges, sharedSchemas } from '../../support/schema-changes.ts';

const uses = {
  requests: { request: true, response: false },
  answers: { request: false, response: true },
  both: { request: true, response: true },
  nothing: { request: false, response: false },
};

/** A contract with a schema called It that is sent, answered, both or neither. */
function contractOf(schema: unknown, { request, response }: (typeof uses)['both']) {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/It' } } };
  const post = {
    operationId: 'post',
    ...(request && { requestBody: { content } }),
    responses: { 200: { description: 'It.', ...(response && { content }) } },
  };
  return {
    openapi: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Sky', version: '1.0.0' },
      paths: { '/it': { post } },
      components: { schemas: { It: schema, ...sharedSchemas } },
    }),
  };
}

/** What is said of a change, and of the same the other way round. */
async function saidOf([what, before, after]: SchemaChange, names: (keyof typeof uses)[]) {
  const parts = names.map(async (name) => {
    const [old, now] = [before, after].map((each) => contractOf(each, uses[name]));
    if (!old || !now) throw new Error('there are two');
    const [there, back] = [await changesText(old, now), await changesText(now, old)];
    return `## ${what}, in ${name}\n\n${there || 'Nothing.\n'}\n${back || 'Nothing.\n'}`;
  });
  return (await Promise.all(parts)).join('\n');
}

describe('what accord diff says of a change in a schema', () => {
  it.each(Object.entries(schemaChanges))('is as written: %s', async (name, table) => {
    const said = table.map((each) => saidOf(each, ['requests', 'answers']));
    const text = (await Promise.all(said)).join('\n');
    await expect(text).toMatchFileSnapshot(`expected/schema-changes-${name}.txt`);
  });

  it('is as written where clients send and read it, and where nobody does', async () => {
    const wanted =
      /^(maximum|a pattern|enum|another default|not|null|another type|a member.*|read.*|write.*|required.*|no other members|deprecated)$/;
    const table = Object.values(schemaChanges)
      .flat()
      .filter(([what]) => wanted.test(what));
    const said = table.map((each) => saidOf(each, ['both', 'nothing']));
    const text = (await Promise.all(said)).join('\n');
    await expect(text).toMatchFileSnapshot('expected/schema-changes-uses.txt');
  });
});
