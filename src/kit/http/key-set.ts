import type { FetchImplementation } from 'jose';

const MOST_BYTES = 1_048_576;
// Milliseconds for which a key server that has failed is left alone.
const PAUSE = 1000;

/**
 * Fetches published keys for jose, which waits between fetches only where they succeed. What is not an object among
 * the keys is left out: jose would take none of them.
 */
export function createKeySetFetch(): FetchImplementation {
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return async (url, options) => {
    if (performance.now() < pausedUntil) throw new Error('the key server failed just now');
    try {
      return Response.json({ keys: await keysAt(url, options) });
    } catch (error) {
      pausedUntil = performance.now() + PAUSE;
      throw error;
    }
  };
}

async function keysAt(...request: Parameters<FetchImplementation>): Promise<unknown[]> {
  const response = await fetch(...request);
  const text = await textOf(response);
  if (response.status !== 200) {
    throw new Error(`the key server has answered with ${response.status}`);
  }
  const { keys } = Object(JSON.parse(text));
  if (!Array.isArray(keys)) throw new Error('the key server has sent no key set');
  return keys.filter((key) => Object(key) === key);
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES)
      throw new Error(`the key server has sent more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
