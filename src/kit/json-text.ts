declare const shape: unique symbol;

/** JSON text of a value of type T. */
export type Json<T> = string & { readonly [shape]: (value: T) => T };

/** JSON text of a value of type T, in pieces. */
export type JsonStream<T> = AsyncIterable<string> & { readonly [shape]: (value: T) => T };

/** The value that a JSON text was made of. */
export function fromJson<T>(text: Json<T>): T {
  // The brand says what the text holds.
  return JSON.parse(text) as T;
}

/** A text that comes in pieces, as one. */
export async function whole<T>(text: Json<T> | JsonStream<T>): Promise<Json<T>> {
  if (typeof text === 'string') return text;
  const pieces = await Array.fromAsync(text);
  // The pieces were made of a T.
  return pieces.join('') as Json<T>;
}

export function json<T>(value: T): Json<T> {
  // The brand is a promise about the text, which stringify has just made of a T.
  return JSON.stringify(value) as Json<T>;
}
