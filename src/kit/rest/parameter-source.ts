import type { Document } from '../contract/openapi-document.ts';
import type { Parameter } from '../contract/operation.ts';
import { type Shape, shapeOf } from './parameter-shape.ts';
import { partsOf } from './parameter-style.ts';
import { jsonOf, scalarOf, valueFrom } from './parameter-value.ts';

/** A parameter, and how its values are read. */
export type Source = Parameter & {
  /** Where it is, as errors name it. */
  readonly at: string;
  /** Its name among the values. */
  readonly key: string;
  readonly shape: Shape;
  readonly isJson: boolean;
};

const places = { query: 'query', header: 'headers', path: 'path', cookie: 'cookies' } as const;

/** How a parameter is read. */
export function sourceOf(document: Document, parameter: Parameter): Source {
  const { in: place, name, mediaType } = parameter;
  const shape = shapeOf(document, schemaOf(parameter));
  const key = place === 'header' ? name.toLowerCase() : name;
  return {
    ...parameter,
    at: `/${places[place]}/${key}`,
    key,
    shape,
    isJson: mediaType !== undefined && /^[^;]*[/+]json *(;|$)/i.test(mediaType),
  };
}

/** The schema of a parameter, which may stand under a media type; undefined where there is none. */
export function schemaOf({ object, mediaType }: Parameter): unknown {
  return object.schema ?? object.content?.[mediaType ?? '']?.schema;
}

/** The value of a text that is the whole of a parameter. */
export function textValue(source: Source, text: string): unknown {
  const { shape, at, mediaType } = source;
  if (source.isJson) return jsonOf(text, at);
  if (mediaType !== undefined) return scalarOf(text, shape, at);
  return valueFrom(partsOf(text, source, shape, at), shape, at);
}

/** Whether a value may be a list or an object. */
export function isList({ types }: Shape): boolean {
  return types.has('array') || types.has('object');
}
