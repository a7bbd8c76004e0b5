import type { Model } from '../model.ts';
import { createNames, legal, pascalCase } from '../names.ts';
import { reservedTypes } from '../reserved-names.ts';
import type { Shape, UnionShape } from '../shape.ts';
import { asObject } from './merged-object.ts';
import { createFieldNames, docstring, fieldName, pythonRepr, quoted } from './text.ts';

const plain = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
} as const;

/** The types of the contract's schemas: classes for objects that have names, plain types for the rest. */
export function createTypes(model: Model) {
  const components = new Map(model.components.map((each) => [each.name, each]));
  const names = createNames(takenNames(model));
  const classes = new Map<string, string>();
  // Fields by the names that they have in JSON, and the types of objects that have no name in the contract.
  const fields = new Map<string, ReadonlyMap<string, string>>();
  const made = new Map<Shape, string>();
  const open = new Set<string>();

  /** The type of a shape; `name` is for the object that it may turn out to be. */
  const typeOf = (shape: Shape, name: string, about = ''): string => {
    switch (shape.kind) {
      case 'any':
      case 'never':
        return 'Any';
      case 'binary':
        return 'bytes | Upload';
      case 'plain':
        return plain[shape.type];
      case 'literal':
        // Literal takes no floats.
        return Number.isInteger(shape.value) || typeof shape.value !== 'number'
          ? `Literal[${pythonLiteral(shape.value)}]`
          : 'float';
      case 'list':
        return `list[${typeOf(shape.item, `${name}Item`)}]`;
      case 'union':
        return unionType(shape, name, about);
      case 'named':
        return namedType(shape.name);
      case 'object':
      case 'all':
        return objectType(shape, name, about);
    }
  };

  const namedType = (name: string): string => {
    if (classes.has(name)) return name;
    const component = components.get(name);
    // A type that is no class has no name in Python: where it leads back to itself it ends.
    if (!component || open.has(name)) return 'Any';
    const object = asObject(component.shape, components);
    if (object && object.fields.length > 0) return classOf(object, name, component.about);
    open.add(name);
    const type = typeOf(component.shape, name);
    open.delete(name);
    return type;
  };

  const unionType = (
    { options, discriminator }: UnionShape,
    name: string,
    about: string,
  ): string => {
    const objects = options.filter(
      ({ kind }) => kind === 'object' || kind === 'all' || kind === 'list',
    );
    const types = options.map((each, i) =>
      typeOf(each, objects.length > 1 ? `${name}${i + 1}` : name, about),
    );
    const type = union(types);
    const entries = (discriminator?.values ?? []).flatMap((values, i) =>
      classes.has(types[i] ?? '') ? values.map((value) => [value, types[i]] as const) : [],
    );
    if (!discriminator || entries.length === 0 || type === 'Any') return type;
    const note = `Discriminator(${quoted(discriminator.property)}, ${pythonRepr(Object.fromEntries(entries))})`;
    return `Annotated[${type}, ${note}]`;
  };

  const objectType = (shape: Shape, wish: string, about: string): string => {
    const known = made.get(shape);
    if (known !== undefined) return known;
    const object = asObject(shape, components);
    if (!object) {
      const [first] = shape.kind === 'all' ? shape.parts : [];
      return first ? typeOf(first, wish) : 'Any';
    }
    if (object.fields.length === 0) {
      return object.rest ? `dict[str, ${typeOf(object.rest, `${wish}Value`)}]` : 'dict[str, Any]';
    }
    const name = names(legal(wish, 'Model'));
    made.set(shape, name);
    return classOf(object, name, about);
  };

  const classOf = (
    { fields: all, rest }: NonNullable<ReturnType<typeof asObject>>,
    name: string,
    about: string,
  ): string => {
    // Known before its fields are looked at: a schema may hold itself.
    classes.set(name, '');
    const fieldNames = createFieldNames();
    const own = all.map(({ name: wire }) => [wire, fieldNames(wire)] as const);
    fields.set(name, new Map(own));
    const lines = all.map((field, i) => {
      const type = typeOf(field.shape, `${name}${pascalCase(field.name)}`, field.about);
      return fieldLines(field.name, type, field.required, field.about, own[i]?.[1]);
    });
    // A field that may be left out comes after those that may not.
    lines.sort((a, b) => Number(a.isOptional) - Number(b.isOptional));
    const others = rest
      ? `    ${fieldNames('additionalProperties')}: dict[str, ${typeOf(rest, `${name}Value`)}] = field(default_factory=dict, metadata={"rest": True})\n`
      : '';
    classes.set(
      name,
      `@dataclass(frozen=True, kw_only=True)\nclass ${name}:\n${docstring([about || `${name}, as the contract has it.`], '    ')}\n${lines.map(({ text }) => text).join('')}${others}`,
    );
    return name;
  };

  for (const { name } of model.components) namedType(name);
  return { typeOf, classes, fields };
}

export type Types = ReturnType<typeof createTypes>;

function takenNames(model: Model): string[] {
  const calls = model.groups.flatMap((group) => group.calls);
  return [
    ...reservedTypes,
    ...[model.title, `Async${model.title}`],
    ...model.components.map(({ name }) => name),
    ...model.errors.map(({ className }) => className),
    ...model.groups.flatMap(({ className }) => [className, `Async${className}`]),
    ...calls.map(({ typeName }) => `${typeName}Headers`),
  ];
}

/** All named objects as dataclasses. */
export function modelsFile(types: Types): string {
  const classes = [...types.classes.values()].join('\n\n');
  const has = (word: string) => classes.includes(word);
  return [
    '"""The objects of the contract."""\n\n',
    'from __future__ import annotations\n\nfrom dataclasses import dataclass, field\n',
    `from typing import ${has('Annotated[') ? 'Annotated, ' : ''}Any, Literal\n\n`,
    has('Upload') ? 'from ._body import Upload\n' : '',
    has('Discriminator(') ? 'from ._wire import Discriminator\n' : '',
    `\n${classes}`,
    `\n\n__all__${types.classes.size === 0 ? ': list[str]' : ''} = [\n${[...types.classes.keys()].map((name) => `    "${name}",\n`).join('')}]\n`,
  ].join('');
}

/** A field, with the name that JSON has for it where Python's differs. */
export function fieldLines(
  wire: string,
  type: string,
  required: boolean,
  about: string,
  name = fieldName(wire),
) {
  const options = [
    ...(required ? [] : ['default=None']),
    ...(name === wire ? [] : [`metadata={"wire": ${quoted(wire)}}`]),
  ];
  const full = required || type.endsWith('None') || type === 'Any' ? type : `${type} | None`;
  const value = options.length > 0 ? ` = field(${options.join(', ')})` : '';
  return {
    name,
    isOptional: !required,
    text: `    ${name}: ${full}${value}\n${docstring([about], '    ')}`,
  };
}

export function union(types: readonly string[]): string {
  const distinct = [
    ...new Set(
      withOneLiteral(types).flatMap((type) => (isPlainUnion(type) ? type.split(' | ') : [type])),
    ),
  ];
  if (distinct.includes('Any')) return 'Any';
  // None comes last, where the types of fields are looked at.
  return distinct.toSorted((a, b) => Number(a === 'None') - Number(b === 'None')).join(' | ');
}

/** Literals are together in one. */
function withOneLiteral(types: readonly string[]): string[] {
  const isLiteral = (type: string) => /^Literal\[[^\]]*\]$/.test(type);
  const values = types.filter(isLiteral).map((type) => type.slice('Literal['.length, -1));
  const all = `Literal[${[...new Set(values)].join(', ')}]`;
  return types.map((type) => (isLiteral(type) ? all : type));
}

/** Whether nothing stands in brackets that could be split. */
function isPlainUnion(type: string): boolean {
  return !/[["(]/.test(type);
}

function pythonLiteral(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : pythonRepr(value);
}
