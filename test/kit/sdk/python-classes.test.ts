import { describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { createTypes, modelsFile } from '../../../src/kit/sdk/python/python-models.ts';
import { docstring } from '../../../src/kit/sdk/python/text.ts';
import { doc } from '../../../src/kit/sdk/typescript/types.ts';
import { knownContract } from '../../support/known-contract.ts';
import { ref, text, whole } from '../../support/schemas.ts';

async function typesOf(schemas: object, paths: object = {}, title = 'T') {
  const info = { title, version: '1' };
  const contract = { openapi: '3.1.0', info, paths, components: { schemas } };
  const { document } = await knownContract(contract);
  return createTypes(modelOf({ document, schema: undefined, digest: '' }));
}

/** The fields of a class, a line each. */
async function fieldsOf(schema: object, others: object = {}): Promise<string[]> {
  const { classes } = await typesOf({ ...others, X: schema });
  const lines = classes.get('X')?.split('\n') ?? [];
  return lines.slice(4, -1).map((line) => line.trim());
}

it('objects are dataclasses: what must be given first, with the names of JSON where they differ', async () => {
  const types = await typesOf({
    Ship: {
      description: 'A ship.',
      required: ['name', 'class'],
      properties: {
        'home port': text,
        name: { ...text, description: 'What it is called.' },
        from: { type: ['string', 'null'] },
        anything: {},
        class: { enum: ['a', 'b'] },
        str: whole,
        list: whole,
        homePort: text,
        crew: { properties: { n: whole } },
      },
      additionalProperties: whole,
    },
    Crew: { properties: { n: { ...whole, description: 'A number.' } } },
  });
  expect(modelsFile(types)).toBe(`"""The objects of the contract."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class Ship:
    """A ship."""

    name: str
    """What it is called."""
    class_: Literal["a", "b"] = field(metadata={"wire": "class"})
    home_port: str | None = field(default=None, metadata={"wire": "home port"})
    from_: str | None = field(default=None, metadata={"wire": "from"})
    anything: Any = field(default=None)
    str_: int | None = field(default=None, metadata={"wire": "str"})
    list_: int | None = field(default=None, metadata={"wire": "list"})
    home_port_: str | None = field(default=None, metadata={"wire": "homePort"})
    crew: ShipCrew | None = field(default=None)
    additional_properties: dict[str, int] = field(default_factory=dict, metadata={"rest": True})


@dataclass(frozen=True, kw_only=True)
class ShipCrew:
    """ShipCrew, as the contract has it."""

    n: int | None = field(default=None)


@dataclass(frozen=True, kw_only=True)
class Crew:
    """Crew, as the contract has it."""

    n: int | None = field(default=None)
    """A number."""


__all__ = [
    "Ship",
    "ShipCrew",
    "Crew",
]
`);
});

it('a contract without objects has no classes', async () => {
  expect(modelsFile(await typesOf({ Text: text }))).toMatch(/\n\n__all__: list\[str\] = \[\n\]\n$/);
});

it('an object without a name gets one that nothing else has', async () => {
  const object = { properties: { n: whole } };
  const holding = (member: string) => ({ properties: { [member]: object } });
  const schemas = {
    ...{
      Api: holding('error'),
      My: holding('fleet'),
      Async: { properties: { myFleet: object, shipsApi: object } },
    },
    ...{ Not: holding('foundError'), Ships: holding('api'), Get: holding('shipHeaders') },
    ...{ Ship: holding('crew'), ShipCrew: object, Free: holding('one') },
  };
  const get = { operationId: 'getShip', responses: { 404: { description: '' } } };
  const { classes } = await typesOf(schemas, { '/ships': { get } }, 'MyFleet');
  expect([...classes.keys()].filter((name) => !Object.hasOwn(schemas, name))).toEqual([
    ...['ApiError2', 'MyFleet2', 'AsyncMyFleet2', 'AsyncShipsApi2', 'NotFoundError2', 'ShipsApi2'],
    ...['GetShipHeaders2', 'ShipCrew2', 'FreeOne'],
  ]);
});

it('what classes need is imported', async () => {
  const Cat = { type: 'object', required: ['kind'], properties: { kind: text } };
  const discriminator = { propertyName: 'kind', mapping: { tom: 'Cat', tim: 'Kit' } };
  const pet = { oneOf: [ref('Cat'), ref('Kit')], discriminator };
  const file = modelsFile(await typesOf({ Cat, Kit: Cat, Home: { properties: { pet } } }));
  expect(file).toContain(
    'from typing import Annotated, Any, Literal\n\nfrom ._wire import Discriminator\n\n@dataclass',
  );
  expect(file).toContain(
    `pet: Annotated[Cat | Kit, Discriminator("kind", {'tom': 'Cat', 'tim': 'Kit'})] | None = field(default=None)`,
  );
});

describe('an object of several parts', () => {
  it.each([
    [
      'has the fields of all, where the later part tells more',
      {
        allOf: [
          {
            required: ['a'],
            properties: { a: { ...text, description: 'First.' }, b: {}, c: whole },
          },
          {
            required: ['c'],
            properties: { a: { enum: ['x'] }, b: whole, c: { description: 'Third.' } },
          },
        ],
      },
      [
        ...['a: Literal["x"]', '"""First."""', 'c: int', '"""Third."""'],
        'b: int | None = field(default=None)',
      ],
    ],
    [
      'may have those of one of several more',
      {
        properties: { a: text },
        required: ['a'],
        oneOf: [{ required: ['b'], properties: { b: whole } }, ref('Either')],
      },
      ['a: str', ...['b', 'c', 'd'].map((name) => `${name}: int | None = field(default=None)`)],
    ],
    [
      'has other members where a part with fields has them',
      {
        allOf: [
          { properties: { a: text } },
          { properties: { b: text }, additionalProperties: whole },
        ],
      },
      [
        ...['a', 'b'].map((name) => `${name}: str | None = field(default=None)`),
        'additional_properties: dict[str, int] = field(default_factory=dict, metadata={"rest": True})',
      ],
    ],
    [
      'has none where only a part without fields has them',
      { allOf: [{ properties: { a: text } }, { type: 'object', additionalProperties: whole }] },
      ['a: str | None = field(default=None)'],
    ],
    [
      'ends where it leads back to itself',
      { allOf: [{ properties: { a: text } }, ref('Round')] },
      ['a: str | None = field(default=None)'],
    ],
  ])('%s', async (_, schema, fields) => {
    const others = {
      Either: {
        oneOf: [
          { required: ['c'], properties: { c: whole } },
          { required: ['d'], properties: { d: whole } },
        ],
      },
      Round: { anyOf: [ref('Around'), { properties: { e: whole } }] },
      Around: { allOf: [ref('Round')] },
    };
    expect(await fieldsOf(schema, others)).toEqual(fields);
  });

  it('without any fields is a dict, and what is no object is its first part', async () => {
    const { typeOf } = await typesOf({
      Open: { allOf: [{ type: 'object' }, { type: 'object', additionalProperties: whole }] },
      Word: { allOf: [ref('Text')], anyOf: [{ enum: ['a'] }, { enum: ['b'] }] },
      Text: text,
    });
    const type = (name: string) => typeOf({ kind: 'named', name }, name);
    expect([type('Open'), type('Word')]).toEqual(['dict[str, Any]', 'str']);
  });
});

describe('a description', () => {
  const words = (...lengths: number[]) => lengths.map((n) => 'x'.repeat(n)).join(' ');

  it.each([
    ['One line.', '    """One line."""\n', '  /** One line. */\n'],
    ['  ', '', ''],
    ['a\r\nb\rc', '    """a\n    b\n    c\n    """\n', '  /**\n   * a\n   * b\n   * c\n   */\n'],
    ['a\n\nb', '    """a\n\n    b\n    """\n', '  /**\n   * a\n   *\n   * b\n   */\n'],
    ['say "a"', '    """say "a\\""""\n', '  /** say "a" */\n'],
    ['"""a\\', '    """\\"\\"\\"a\\\\"""\n', '  /** """a\\ */\n'],
    ['a*/b', '    """a*/b"""\n', '  /** a*\\/b */\n'],
  ])('%j is a comment of either language', (about, python, typescript) => {
    expect([docstring([about], '    '), doc([about], '  ')]).toEqual([python, typescript]);
  });

  it('has no NUL in Python, which takes none', () => {
    expect(docstring(['a\0b'], '')).toBe('"""ab"""\n');
  });

  it('is wrapped where a line is full', () => {
    expect(docstring([words(45, 46)], '    ')).toBe(`    """${words(45, 46)}"""\n`);
    expect(docstring([words(45, 47)], '    ')).toBe(
      `    """${words(45)}\n    ${words(47)}\n    """\n`,
    );
    expect(doc([words(47, 48)], '  ')).toBe(`  /** ${words(47, 48)} */\n`);
    expect(doc([words(47, 49)], '  ')).toBe(`  /**\n   * ${words(47)}\n   * ${words(49)}\n   */\n`);
    expect(doc([words(97, 1)])).toBe(`/**\n * ${words(97)}\n * x\n */\n`);
  });

  it('keeps the indentation of a line, and a bit more where it goes on', () => {
    expect(doc(['List:', `  ${words(50, 50)}`])).toBe(
      `/**\n * List:\n *   ${words(50)}\n *     ${words(50)}\n */\n`,
    );
  });
});
