import { describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { createTypes } from '../../../src/kit/sdk/python/python-models.ts';
import { typeOf } from '../../../src/kit/sdk/typescript/types.ts';
import { knownContract } from '../../support/known-contract.ts';
import { ref, text, whole } from '../../support/schemas.ts';

const flag = { type: 'boolean' };

describe('a discriminator tells options apart:', () => {
  const animals = {
    Cat: { type: 'object', required: ['kind'], properties: { kind: text } },
    Dog: { type: 'object', properties: { good: flag } },
    Pup: { allOf: [ref('Pup'), ref('Dog'), ref('Cat')] },
    Kit: { oneOf: [ref('Cat')] },
    Cub: { anyOf: [true, ref('Cat')] },
    Bird: { type: 'object', required: ['kind'], properties: { kind: text } },
    Pair: { oneOf: [ref('Cat'), ref('Bird')] },
    Two: { oneOf: [ref('Bird'), ref('Cat')] },
    Loop: { oneOf: [ref('Loop'), ref('Cat')] },
    Always: true,
  };
  const options = [ref('Cat'), ref('Dog')];
  const discriminator = { propertyName: 'kind' };
  const dog = (value: string) => `Dog & {\n  kind: "${value}";\n}`;

  it.each([
    [
      'by the names of components',
      { oneOf: options, discriminator },
      `Cat | ${dog('Dog')}`,
      'Cat | X2',
    ],
    [
      'by a mapping to names and references',
      {
        oneOf: options,
        discriminator: {
          ...discriminator,
          mapping: { tom: '#/components/schemas/Cat', tim: 'Cat', rex: 'Dog' },
        },
      },
      `(Cat & { "kind": "tom" | "tim" }) | ((${dog('rex')}) & { "kind": "rex" })`,
      `Annotated[Cat | X2, Discriminator("kind", {'tom': 'Cat', 'tim': 'Cat', 'rex': 'X2'})]`,
    ],
    [
      'where all of them are named',
      {
        anyOf: [ref('Cat'), { properties: { b: text } }],
        discriminator: { ...discriminator, mapping: { tom: 'Cat' } },
      },
      '(Cat & { "kind": "tom" }) | {\n  b?: string;\n}',
      `Annotated[Cat | X2, Discriminator("kind", {'tom': 'Cat'})]`,
    ],
    [
      'where each is another',
      {
        oneOf: [ref('Cat'), ref('Cat'), ref('Dog')],
        discriminator: { ...discriminator, mapping: { tom: 'Cat' } },
      },
      `Cat | ${dog('Dog')}`,
      'Cat | X2',
    ],
    [
      'where a part of an option declares it',
      { oneOf: [ref('Pup'), ref('Kit'), ref('Cub')], discriminator },
      'Pup | Kit | Cub',
      'Any',
    ],
    [
      'where one of them may be anything',
      { oneOf: [ref('Cat'), true], discriminator: { ...discriminator, mapping: { tom: 'Cat' } } },
      'unknown',
      'Any',
    ],
    [
      'where one of them is several',
      {
        oneOf: [ref('Pair'), ref('Dog')],
        discriminator: { ...discriminator, mapping: { two: 'Pair', rex: 'Dog' } },
      },
      `(Pair & { "kind": "two" }) | ((${dog('rex')}) & { "kind": "rex" })`,
      `Annotated[Cat | Bird | X2, Discriminator("kind", {'rex': 'X2'})]`,
    ],
    [
      'where each of them is several',
      {
        oneOf: [ref('Pair'), ref('Two')],
        discriminator: { ...discriminator, mapping: { one: 'Pair', two: 'Two' } },
      },
      '(Pair & { "kind": "one" }) | (Two & { "kind": "two" })',
      'Cat | Bird',
    ],
    [
      'where one of them leads back to itself',
      {
        oneOf: [ref('Cat'), ref('Loop')],
        discriminator: { ...discriminator, mapping: { tom: 'Cat' } },
      },
      '(Cat & { "kind": "tom" }) | Loop',
      'Any',
    ],
    [
      'where one of them admits everything',
      { oneOf: [ref('Cat'), ref('Always')], discriminator },
      'Cat | Always & {\n  kind: "Always";\n}',
      'Cat | X2',
    ],
  ])('%s', async (_, schema, typescript, python) => {
    const { model, types } = await modelWith({ ...animals, X: schema });
    const shape = model.components.find(({ name }) => name === 'X')?.shape ?? { kind: 'never' };
    const named = { kind: 'named', name: 'X' } as const;
    expect([typeOf(shape), types.typeOf(named, 'X')]).toEqual([typescript, python]);
  });
});

describe('a component', () => {
  const names = async (schemas: object) =>
    (await modelWith(schemas)).model.components.map(({ name }) => name);

  it('is another type in a request, where something in it is read or written alone', async () => {
    const properties = { id: { ...whole, readOnly: true } };
    expect(
      await names({
        Read: { properties },
        Written: { properties: { secret: { ...text, writeOnly: true } } },
        Holder: { properties: { of: { type: 'array', items: ref('Read') } } },
        Above: { allOf: [ref('Holder')] },
        Round: { properties: { round: ref('Round'), read: ref('Read') } },
        Plain: { properties: { id: { ...whole, readOnly: false } } },
        Shown: { example: { readOnly: true }, examples: [{ writeOnly: true }] },
        Filled: { default: { readOnly: true } },
      }),
    ).toEqual([
      ...['Read', 'ReadInput', 'Written', 'WrittenInput', 'Holder', 'HolderInput'],
      ...['Above', 'AboveInput', 'Round', 'RoundInput', 'Plain', 'Shown', 'Filled'],
    ]);
  });

  it('has what its direction has, and the description of what it refers to', async () => {
    const { model } = await modelWith({
      Id: { ...whole, readOnly: true, description: 'A number.' },
      Mark: { ...whole, description: 'A mark.' },
      Item: {
        description: 'An item.',
        required: ['id', 'name'],
        properties: {
          id: ref('Id'),
          mark: ref('Mark'),
          name: text,
          key: { ...text, writeOnly: true },
        },
      },
    });
    const item = model.components.filter(({ name }) => name.startsWith('Item'));
    expect(item.map(({ about, shape }) => [about, typeOf(shape)])).toEqual([
      [
        'An item.',
        '{\n  /** A number. */\n  id: Id;\n  /** A mark. */\n  mark?: Mark;\n  name: string;\n}',
      ],
      ['An item.', '{\n  /** A mark. */\n  mark?: Mark;\n  name: string;\n  key?: string;\n}'],
    ]);
  });

  it('has a name of its own that is one in either language', async () => {
    expect(
      await names({
        ...{ 'pet-item': text, PetItem: text, '2nd': text, '-': text, Promise: text, a_b: text },
        ...{ Snake_Case: text, Item: { readOnly: true }, ItemInput: text },
      }),
    ).toEqual([
      ...['PetItem', 'PetItemModel', '_2nd', 'Model', 'PromiseModel', 'AB', 'Snake_Case'],
      ...['Item', 'ItemInput', 'ItemInputModel'],
    ]);
  });
});

async function modelWith(schemas: object) {
  const info = { title: 'T', version: '1' };
  const contract = { openapi: '3.1.0', info, paths: {}, components: { schemas } };
  const { document } = await knownContract(contract);
  const model = modelOf({ document, schema: undefined, digest: '' });
  return { model, types: createTypes(model) };
}
