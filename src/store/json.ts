declare const shape: unique symbol;

/** JSON text of a value of type T. */
export type Json<T> = string & { readonly [shape]: T };

/** JSON text of a value of type T, in pieces. */
export type JsonStream<T> = AsyncIterable<string> & { readonly [shape]: T };

export function json<T>(value: T): Json<T> {
  // The brand is a promise about the text, which stringify has just made of a T.
  return JSON.stringify(value) as Json<T>;
}
