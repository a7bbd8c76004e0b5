import { type Document, resolve } from '../contract/openapi-document.ts';

/** The first example of a media type or a parameter. */
export function exampleOf(document: Document, holder: object): unknown {
  const { example, examples } = Object(holder);
  const [first] = Object.values<object>(Object(examples));
  return first ? Object(resolve(document, first)).value : example;
}
