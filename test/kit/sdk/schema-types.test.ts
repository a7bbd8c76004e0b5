import { describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { createTypes } from '../../../src/kit/sdk/python/python-models.ts';
import { typeOf } from '../../../src/kit/sdk/typescript/types.ts';
import { knownContract } from '../../support/known-contract.ts';
import { ref, text, whole } from '../../support/schemas.ts';

const flag = { type: 'boolean' };

type Row = readonly [schema: unknown, typescript: string, python: string];

/** Components by their names, and what each is in either language. */
const rows: Readonly<Record<string, Row>> = {
  Text: [text, 'string', 'str'],
  Whole: [whole, 'number', 'int'],
  Ratio: [{ type: 'number' }, 'number', 'float'],
  Flag: [flag, 'boolean', 'bool'],
  Nothing: [{ type: 'null' }, 'null', 'None'],
  Empty: [{}, 'unknown', 'Any'],
  Always: [true, 'unknown', 'Any'],
  Nowhere: [false, 'never', 'Any'],
  Several: [{ type: ['string', 'integer', 'null'] }, 'string | number | null', 'str | int | None'],
  NullFirst: [{ type: ['null', 'string'] }, 'null | string', 'str | None'],

  OneText: [{ const: 'a' }, '"a"', 'Literal["a"]'],
  OneNumber: [{ const: 1 }, '1', 'Literal[1]'],
  OneFraction: [{ const: 1.5 }, '1.5', 'float'],
  OneFlag: [{ const: true }, 'true', 'Literal[True]'],
  OneNull: [{ const: null }, 'null', 'Literal[None]'],
  OneObject: [{ const: { a: 1 } }, 'unknown', 'Any'],
  Words: [{ enum: ['a', 'b', null, 1] }, '"a" | "b" | null | 1', 'Literal["a", "b", None, 1]'],
  Fractions: [{ enum: [1.5, 2] }, '1.5 | 2', 'float | Literal[2]'],
  Brackets: [{ enum: ['a]', 'b'] }, '"a]" | "b"', 'Literal["a]"] | Literal["b"]'],
  WordsOrText: [{ anyOf: [{ enum: ['a|b'] }, whole] }, '"a|b" | number', 'Literal["a|b"] | int'],

  Texts: [{ type: 'array', items: text }, 'string[]', 'list[str]'],
  Holes: [
    { type: 'array', items: { type: ['string', 'null'] } },
    '(string | null)[]',
    'list[str | None]',
  ],
  Things: [{ type: 'array' }, 'unknown[]', 'list[Any]'],
  Untyped: [{ items: whole }, 'number[]', 'list[int]'],
  Tuple: [
    { type: 'array', prefixItems: [text, whole], items: false, minItems: 2 },
    '(string | number)[]',
    'list[str | int]',
  ],
  UntypedTuple: [{ prefixItems: [flag], items: false, minItems: 1 }, 'boolean[]', 'list[bool]'],

  Open: [{ type: 'object' }, '{\n  [key: string]: unknown;\n}', 'dict[str, Any]'],
  Numbers: [
    { type: 'object', additionalProperties: whole },
    '{\n  [key: string]: number;\n}',
    'dict[str, int]',
  ],
  Others: [{ additionalProperties: text }, '{\n  [key: string]: string;\n}', 'dict[str, str]'],
  Closed: [
    { type: 'object', additionalProperties: false },
    'Record<string, never>',
    'dict[str, Any]',
  ],
  Forms: [
    { type: 'object', patternProperties: { '^a': whole }, additionalProperties: false },
    '{\n  [key: string]: number;\n}',
    'dict[str, int]',
  ],
  FormsAndOthers: [
    { patternProperties: { '^a': whole }, additionalProperties: text },
    '{\n  [key: string]: number | string;\n}',
    'dict[str, int | str]',
  ],
  FormsAlone: [
    { patternProperties: { '^a': flag } },
    '{\n  [key: string]: boolean;\n}',
    'dict[str, bool]',
  ],
  Cat: [
    { type: 'object', required: ['kind'], properties: { kind: text, lives: whole } },
    '{\n  kind: string;\n  lives?: number;\n}',
    'Cat',
  ],
  Dog: [{ properties: { good: flag } }, '{\n  good?: boolean;\n}', 'Dog'],
  Spaced: [
    {
      type: 'object',
      properties: {
        'two words': { description: 'Told.', ...text },
        $a_1: { properties: { b: {} } },
      },
      additionalProperties: whole,
    },
    '{\n  /** Told. */\n  "two words"?: string;\n  $a_1?: {\n    b?: unknown;\n  };\n  [key: string]: unknown;\n}',
    'Spaced',
  ],

  OneAndOthers: [
    { type: 'object', properties: { a: text }, additionalProperties: whole },
    '{\n  a?: string;\n  [key: string]: unknown;\n}',
    'OneAndOthers',
  ],

  Alias: [ref('Text'), 'Text', 'str'],
  Pet: [ref('Cat'), 'Cat', 'Pet'],
  Described: [{ ...ref('Cat'), description: 'A cat.', type: 'object' }, 'Cat', 'Described'],
  Typed: [{ ...ref('Text'), type: ['string', 'null'] }, 'Text', 'str'],
  Named: [{ ...ref('Text'), enum: ['a'] }, 'Text & "a"', 'str'],
  Grown: [{ ...ref('Cat'), properties: { age: whole } }, 'Cat & {\n  age?: number;\n}', 'Grown'],
  Both: [{ allOf: [ref('Cat'), ref('Dog')] }, 'Cat & Dog', 'Both'],
  Single: [{ allOf: [ref('Text')] }, 'Text', 'str'],
  Beside: [{ allOf: [{}, ref('Text')] }, 'Text', 'str'],
  Vague: [{ allOf: [{}] }, 'unknown', 'Any'],
  VagueAndOwn: [{ allOf: [{}], ...text }, 'string', 'str'],
  Parts: [{ allOf: [ref('Whole'), ref('Ratio')] }, 'Whole & Ratio', 'int'],

  Either: [{ oneOf: [ref('Cat'), ref('Dog')] }, 'Cat | Dog', 'Cat | Dog'],
  AnyText: [{ anyOf: [text, whole] }, 'string | number', 'str | int'],
  OrAnything: [{ oneOf: [text, {}] }, 'unknown', 'Any'],
  Twice: [
    { oneOf: [{ type: ['string', 'null'] }, { type: 'null' }, text] },
    'string | null',
    'str | None',
  ],
  Maybe: [{ oneOf: [ref('NullFirst'), { type: 'null' }] }, 'NullFirst | null', 'str | None'],
  Bracketed: [
    {
      oneOf: [
        { type: 'array', items: ref('NullFirst') },
        { type: 'object', additionalProperties: ref('NullFirst') },
      ],
    },
    'NullFirst[] | {\n  [key: string]: NullFirst;\n}',
    'list[str | None] | dict[str, str | None]',
  ],
  Crossed: [{ oneOf: [ref('Cat')], anyOf: [ref('Dog')] }, 'Cat & Dog', 'Crossed'],
  Grouped: [
    { allOf: [ref('Whole'), { oneOf: [text, flag] }] },
    'Whole & (string | boolean)',
    'int',
  ],
  Lists: [
    { type: 'array', items: { allOf: [ref('Cat'), ref('Dog')] } },
    '(Cat & Dog)[]',
    'list[ListsItem]',
  ],
  Unnamed: [
    { oneOf: [{ properties: { a: text } }, { properties: { b: text } }] },
    '{\n  a?: string;\n} | {\n  b?: string;\n}',
    'Unnamed1 | Unnamed2',
  ],
  UnnamedOrText: [
    { oneOf: [{ properties: { a: text } }, text] },
    '{\n  a?: string;\n} | string',
    'UnnamedOrText2 | str',
  ],

  BeforeLoop: [{ oneOf: [ref('Loop'), whole] }, 'Loop | number', 'Any'],
  Loop: [{ oneOf: [ref('Loop'), text] }, 'unknown', 'Any'],
  There: [{ allOf: [ref('Back'), ref('Whole')] }, 'unknown', 'Any'],
  Back: [{ allOf: [ref('There'), ref('Whole')] }, 'There & Whole', 'Any'],
  Tree: [
    { type: 'object', properties: { of: { type: 'array', items: ref('Tree') } } },
    '{\n  of?: Tree[];\n}',
    'Tree',
  ],
  Nested: [{ type: 'array', items: ref('Nested') }, 'Nested[]', 'list[Any]'],
};

const { model, types } = await modelWith(
  Object.fromEntries(Object.entries(rows).map(([name, [schema]]) => [name, schema])),
);

describe('a schema is a type of either language:', () => {
  it.each(Object.entries(rows))('%s', (name, [, typescript, python]) => {
    const shape = model.components.find((each) => each.name === name)?.shape ?? { kind: 'never' };
    const named = { kind: 'named', name } as const;
    expect([typeOf(shape), types.typeOf(named, name)]).toEqual([typescript, python]);
  });
});

async function modelWith(schemas: object) {
  const info = { title: 'T', version: '1' };
  const contract = { openapi: '3.1.0', info, paths: {}, components: { schemas } };
  const { document } = await knownContract(contract);
  const model = modelOf({ document, schema: undefined, digest: '' });
  return { model, types: createTypes(model) };
}
