import type { Model } from '../model.ts';
import { pascalCase } from '../names.ts';
import { nameOf, type Schema, typesOf } from '../schema.ts';
import { docstring, fieldName } from './text.ts';

const plain: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** The types of the contract's schemas: classes for objects that have names, plain types for the rest. */
export function createTypes(model: Model) {
  const classes = new Map<string, string>();

  /** The type of a schema; `name` is for the object that it may turn out to be. */
  const typeOf = (schema: Schema, name: string): string => {
    const component = nameOf(schema);
    if (component) {
      const target = model.schemas[component];
      if (!target) throw new Error(`the contract has no schema ${component}`);
      return typeOf(target, component);
    }
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const parts = schema.oneOf ?? schema.anyOf;
    if (parts) return union(parts.map((each, i) => typeOf(each, `${name}${i + 1}`)));
    if (schema.allOf) return typeOf(merged(model, schema.allOf), name);
    const types = typesOf(schema);
    if (types.length === 0) return schema.properties ? objectType(schema, name) : 'Any';
    return union(types.map((type) => typeNamed(type, schema, name)));
  };

  const typeNamed = (type: string, schema: Schema, name: string): string => {
    if (type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (type === 'object') return objectType(schema, name);
    const found = plain[type];
    if (!found) throw new Error(`${name} has a type that the Python SDK does not know: ${type}`);
    return found;
  };

  const objectType = (schema: Schema, name: string): string => {
    const { properties, required = [], additionalProperties } = schema;
    if (!properties) {
      const values = typeof additionalProperties === 'object' ? additionalProperties : {};
      return `dict[str, ${typeOf(values, `${name}Value`)}]`;
    }
    if (classes.has(name)) return name;
    // Known before its fields are looked at: a schema may hold itself.
    classes.set(name, '');
    const fields = Object.entries(properties).map(([wire, property]) => {
      const type = typeOf(property, `${name}${pascalCase(wire)}`);
      return fieldLines(wire, type, required.includes(wire), describe(model, property));
    });
    // A field that may be left out comes after those that may not.
    fields.sort((a, b) => Number(a.isOptional) - Number(b.isOptional));
    const about = schema.description ?? `${name}, as the contract has it.`;
    classes.set(
      name,
      `@dataclass(frozen=True, kw_only=True)\nclass ${name}:\n${docstring([about], '    ')}\n${fields.map(({ text }) => text).join('')}`,
    );
    return name;
  };

  return { typeOf, classes };
}

export type Types = ReturnType<typeof createTypes>;

/** All named objects as dataclasses. */
export function modelsFile(model: Model, types: Types): string {
  for (const [name, schema] of Object.entries(model.schemas)) types.typeOf(schema, name);
  return [
    '"""The objects of the contract."""\n\n',
    'from __future__ import annotations\n\nfrom dataclasses import dataclass, field\n',
    'from typing import Any, Literal\n\n\n',
    [...types.classes.values()].join('\n\n'),
    `\n\n__all__ = [\n${[...types.classes.keys()].map((name) => `    "${name}",\n`).join('')}]\n`,
  ].join('');
}

/** A field, with the name that JSON has for it where Python's differs. */
export function fieldLines(wire: string, type: string, required: boolean, about: string) {
  const name = fieldName(wire);
  const options = [
    ...(required ? [] : ['default=None']),
    ...(name === wire ? [] : [`metadata={"wire": ${JSON.stringify(wire)}}`]),
  ];
  const full = required || type.endsWith('None') ? type : `${type} | None`;
  const value = options.length > 0 ? ` = field(${options.join(', ')})` : '';
  return {
    isOptional: !required,
    text: `    ${name}: ${full}${value}\n${about ? docstring([about], '    ') : ''}`,
  };
}

export function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.includes('Any') ? 'Any' : distinct.join(' | ');
}

function merged(model: Model, parts: readonly Schema[]): Schema {
  const objects = parts.map((part) => model.schemas[nameOf(part) ?? ''] ?? part);
  return {
    type: 'object',
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
    required: objects.flatMap(({ required = [] }) => required),
  };
}

function describe(model: Model, schema: Schema): string {
  return schema.description ?? model.schemas[nameOf(schema) ?? '']?.description ?? '';
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}
