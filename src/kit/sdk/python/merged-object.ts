import {
  anything,
  type Component,
  type Field,
  type ObjectShape,
  type Shape,
  union,
} from '../shape.ts';

/**
 * The one object that a shape is, with the fields of all its parts; undefined for what is no object. The shapes of
 * components do not lead back to themselves.
 */
export function asObject(
  shape: Shape,
  components: ReadonlyMap<string, Component>,
): ObjectShape | undefined {
  switch (shape.kind) {
    case 'object':
      return shape;
    case 'named':
      return asObject(components.get(shape.name)?.shape ?? anything, components);
    case 'all': {
      const parts = shape.parts.flatMap(
        (part) => asObject(part, components) ?? optionsOf(part, components) ?? [],
      );
      return parts.length > 0 ? merged(parts) : undefined;
    }
    default:
      return undefined;
  }
}

/** Beside other parts, the fields of each option of a union may be there. */
function optionsOf(
  shape: Shape,
  components: ReadonlyMap<string, Component>,
): ObjectShape | undefined {
  if (shape.kind === 'named') {
    return optionsOf(components.get(shape.name)?.shape ?? anything, components);
  }
  if (shape.kind !== 'union') return undefined;
  const options = shape.options.flatMap(
    (each) => asObject(each, components) ?? optionsOf(each, components) ?? [],
  );
  if (options.length === 0) return undefined;
  const { fields, rest } = merged(options);
  return { kind: 'object', rest, fields: fields.map((field) => ({ ...field, required: false })) };
}

function merged(parts: readonly ObjectShape[]): ObjectShape {
  const fields = new Map<string, Field>();
  for (const field of parts.flatMap((part) => part.fields)) {
    const before = fields.get(field.name);
    fields.set(field.name, before ? both(before, field) : field);
  }
  const rests = parts.flatMap(({ rest, fields: own }) => (rest && own.length > 0 ? [rest] : []));
  return {
    kind: 'object',
    fields: [...fields.values()],
    rest: rests.length > 0 ? union(rests) : undefined,
  };
}

/** The later part tells more: it narrows what the earlier says. */
function both(before: Field, after: Field): Field {
  const isVague = after.shape.kind === 'any';
  return {
    name: after.name,
    required: before.required || after.required,
    about: after.about || before.about,
    shape: isVague ? before.shape : after.shape,
  };
}
