import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { knownContract } from '../../support/known-contract.ts';
import { ref } from '../../support/schemas.ts';

const having = (name: string) => ({
  ...{ type: 'object', required: [name], properties: { [name]: { type: 'integer' } } },
});
const schemas = { Cat: having('lives'), Dog: having('good') };
const kind = { propertyName: 'kind' };
const cat = { kind: 'Cat', lives: 1 };
const dog = { kind: 'Dog', good: 1 };

const documentOf = (schema: object) => ({
  ...{ openapi: '3.2.0', info: { title: 'T', version: '1' }, paths: {} },
  components: { schemas: { ...schemas, X: schema } },
});

async function errorsOf(schema: object, value: unknown): Promise<string[]> {
  const validate = (await knownContract(documentOf(schema))).schemas(ref('X'));
  return validate(value) ? [] : (validate.errors ?? []).map((each) => String(each.message));
}

describe('a discriminator decides alone which branch holds:', () => {
  const both = [ref('Cat'), ref('Dog')];
  type Row = [what: string, schema: object, valid: unknown[], invalid: unknown[]];
  it.each<Row>([
    [
      'by names',
      { oneOf: both, discriminator: kind },
      [cat, dog, { ...cat, good: 'x' }],
      [{ kind: 'Dog', lives: 1 }, { kind: 'Cow', lives: 1, good: 1 }, { lives: 1 }, 1, null],
    ],
    [
      'of anyOf',
      { anyOf: both, discriminator: kind },
      [cat, dog],
      [{ kind: 'Cat', good: 1 }, 'Cat'],
    ],
    [
      'by a mapping to a name or a reference',
      { oneOf: both, discriminator: { ...kind, mapping: { tom: 'Cat', tim: ref('Cat').$ref } } },
      [{ kind: 'tom', lives: 1 }, { kind: 'tim', lives: 1 }, dog],
      [cat, { kind: 'tom', good: 1 }, { kind: 'Dog' }],
    ],
    [
      'by a mapping of one value',
      { oneOf: both, discriminator: { ...kind, mapping: { rex: 'Dog' } } },
      [{ kind: 'rex', good: 1 }, cat],
      [dog, { kind: 'rex', lives: 1 }],
    ],
    [
      'or null',
      { oneOf: [...both, { type: 'null' }], discriminator: kind },
      [cat, null],
      [{ kind: 'Cat' }, { kind: 'Cow', lives: 1 }, 1],
    ],
    [
      'beside other keywords',
      { oneOf: both, discriminator: kind, required: ['name'], allOf: [having('age')] },
      [{ ...cat, name: 1, age: 1 }],
      [cat, { ...cat, name: 1 }, { ...cat, age: 1 }],
    ],
    [
      'not with both oneOf and anyOf',
      { oneOf: both, anyOf: [ref('Cat')], discriminator: kind },
      [{ lives: 1 }],
      [dog],
    ],
    [
      'not where a branch has no name',
      { oneOf: [ref('Cat'), having('good')], discriminator: kind },
      [{ good: 1 }, { lives: 1 }],
      [{ kind: 'Cat' }, { lives: 1, good: 1 }],
    ],
    [
      'not where a branch says more',
      { oneOf: [ref('Cat'), { ...ref('Dog'), maxProperties: 1 }], discriminator: kind },
      [{ good: 1 }, { lives: 1 }],
      [{ good: 1, a: 1 }],
    ],
    ['not without branches', { ...having('age'), discriminator: kind }, [{ age: 1 }], [cat]],
  ])('%s', async (_, schema, valid, invalid) => {
    for (const value of valid)
      expect(await errorsOf(schema, value), JSON.stringify(value)).toEqual([]);
    for (const value of invalid) {
      expect(await errorsOf(schema, value), JSON.stringify(value)).not.toEqual([]);
    }
  });

  it('and errors are those of that branch', async () => {
    const schema = { oneOf: both, discriminator: kind };
    expect(await errorsOf(schema, { kind: 'Dog', lives: 'x' })).toEqual([
      ...["must have required property 'good'", 'must match "then" schema'],
    ]);
    expect(await errorsOf(schema, { lives: 1 })).toEqual(["must have required property 'kind'"]);
  });

  it.each([
    [
      'Dog',
      [{ good: 1 }, { kind: 'cow', good: 1 }, { kind: 7, good: 1 }, cat],
      [{}, { kind: 'Cat', good: 1 }, 1],
    ],
    [ref('Dog').$ref, [{ good: 1 }, cat], [{ lives: 1 }]],
  ])('or the default %s does', async (defaultMapping, valid, invalid) => {
    const schema = { oneOf: both, discriminator: { ...kind, defaultMapping } };
    for (const value of valid) expect(await errorsOf(schema, value)).toEqual([]);
    for (const value of invalid) expect(await errorsOf(schema, value)).not.toEqual([]);
  });
});

describe('a mapping leads to a schema of the document:', () => {
  const hint = 'expected a schema of this document';
  it.each([
    [{ mapping: { a: 'Cat', b: ref('Dog').$ref, c: '#/info/title' } }, undefined],
    [{ mapping: { a: 'Cot' } }, 'found "Cot", which is not there; did you mean "Cat"?'],
    [{ mapping: { a: '#/components/schemas/Cot' } }, 'did you mean "Cat"?'],
    [{ mapping: { a: 'Cat', b: 'dragon' } }, `found "dragon", which is not there; ${hint}`],
    [
      { mapping: { a: '#/nowhere/dragon' } },
      `found "#/nowhere/dragon", which is not there; ${hint}`,
    ],
    [{ mapping: { a: 'info' } }, `found "info", which is not there; ${hint}`],
    [{ defaultMapping: 'dragon' }, `found "dragon", which is not there; ${hint}`],
    [{ defaultMapping: 'Dog' }, undefined],
  ])('%j: %s', async (more, line) => {
    const schema = { oneOf: [ref('Cat'), ref('Dog')], discriminator: { ...kind, ...more } };
    const read = parseContract(JSON.stringify(documentOf(schema)));
    if (line === undefined) await read;
    else await expect(read).rejects.toThrow(line);
  });

  it.each([{ mapping: { a: 'Cat', b: 'dragon' } }, { defaultMapping: 'dragon' }])(
    '%j is refused where it stands',
    async (more) => {
      const schema = { oneOf: [ref('Cat')], discriminator: { ...kind, ...more } };
      const text = JSON.stringify(documentOf(schema), null, 1);
      const before = text.slice(0, text.indexOf('"dragon"')).split('\n');
      const place = `${before.length}:${String(before.at(-1)).length + 1}`;
      await expect(parseContract(text, 'a.json')).rejects.toThrow(
        `a.json:${place}: found "dragon"`,
      );
    },
  );
});
