import { type Document, type MediaTypeObject, resolve } from '../contract/openapi-document.ts';

/** The examples that stand beside a schema, named ones first; where a name is given, only that one. */
export function examplesOf(
  document: Document,
  { example, examples = {} }: Pick<MediaTypeObject, 'example' | 'examples'>,
  name?: string,
): unknown[] {
  const named = Object.entries(examples)
    .filter(([key]) => name === undefined || key === name)
    .map(([, each]) => Object(resolve(document, each)).value);
  const all = name === undefined ? [...named, example] : named;
  return all.filter((value) => value !== undefined);
}
