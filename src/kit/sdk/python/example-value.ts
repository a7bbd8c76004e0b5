import { isObject } from '../../contract/openapi-document.ts';
import { laidOut } from '../code-layout.ts';
import { anything, type Component, type Shape } from '../shape.ts';
import { asObject } from './merged-object.ts';
import type { Types } from './python-models.ts';
import { pythonRepr } from './text.ts';

const INDENT = '    ';

export type ValueText = {
  /** A value from JSON as Python writes it: objects by their classes. */
  text(value: unknown, shape: Shape, name: string): string;
  /** The classes that were mentioned. */
  readonly classes: ReadonlySet<string>;
};

export function createValueText(types: Types, all: readonly Component[]): ValueText {
  const components = new Map(all.map((each) => [each.name, each]));
  const classes = new Set<string>();

  function text(value: unknown, shape: Shape, name: string): string {
    const target = shape.kind === 'named' ? (components.get(shape.name)?.shape ?? shape) : shape;
    if (target.kind === 'binary') return `b${pythonRepr(String(value).replaceAll(/[^ -~]/g, ''))}`;
    if (Array.isArray(value)) {
      if (target.kind !== 'list') return pythonRepr(value);
      const items = value.map((each) => text(each, target.item, `${name}Item`));
      return laidOut('[', items, ']', INDENT);
    }
    if (!isObject(value)) return pythonRepr(value);
    // This also names the objects in the shape, as the SDK does.
    const type = types.typeOf(shape, name);
    if (target.kind === 'union') {
      const [first = anything] = target.options;
      return text(value, target.options.find((each) => fits(value, each)) ?? first, name);
    }
    const object = asObject(shape, components);
    const own = types.fields.get(type);
    if (!object || !own) return pythonRepr(value);
    classes.add(type);
    const given = object.fields.flatMap((field) => {
      const each = value[field.name];
      if (each === undefined) return [];
      return [`${own.get(field.name)}=${text(each, field.shape, `${type}${field.name}`)}`];
    });
    return laidOut(`${type}(`, given, ')', INDENT);
  }

  function fits(value: Record<string, unknown>, shape: Shape): boolean {
    const { fields = [] } = asObject(shape, components) ?? {};
    return (
      fields.length > 0 &&
      fields.every(({ name, required }) => !required || name in value) &&
      Object.keys(value).every((key) => fields.some(({ name }) => name === key))
    );
  }

  return { text, classes };
}
