import type { CryptoKey, FetchImplementation, JWTPayload, JWTVerifyOptions } from 'jose';

type Jose = typeof import('jose');

const MOST_BYTES = 1_048_576;
// Milliseconds for which a key server is left alone after an answer or a failure.
const PAUSE = 1000;
// Published keys that are tried for a token which does not tell them apart.
const MOST_TRIED = 8;

/** Verifies tokens by the keys published at an address, which are fetched again where no key has signed a token. */
export function createKeySetVerify(
  { createRemoteJWKSet, customFetch, jwtVerify, errors }: Jose,
  url: string,
  options: JWTVerifyOptions,
): (token: string) => Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(url), {
    cooldownDuration: PAUSE,
    [customFetch]: createKeySetFetch(),
  });

  async function byKnownKeys(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return byOneOf(error, token);
      throw error;
    }
  }

  async function byOneOf(candidates: AsyncIterable<CryptoKey>, token: string): Promise<JWTPayload> {
    let tried = 0;
    for await (const key of candidates) {
      if (++tried > MOST_TRIED) break;
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        // What is no JOSEError says that the key is too small: another may be good.
        const isOther = error instanceof errors.JWSSignatureVerificationFailed;
        if (error instanceof errors.JOSEError && !isOther) throw error;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }

  return async (token) => {
    try {
      return await byKnownKeys(token);
    } catch (error) {
      // A new key need not have a new name, or any. Where it has one jose has fetched the keys again.
      const isNew = error instanceof errors.JWSSignatureVerificationFailed && !keys.coolingDown;
      if (!isNew) throw error;
      await keys.reload();
      return byKnownKeys(token);
    }
  };
}

/**
 * Fetches published keys for jose, which waits between fetches only where they succeed. What is not an object among
 * the keys is left out: jose would take none of them.
 */
function createKeySetFetch(): FetchImplementation {
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
  return keys.filter((key) => Object(key) === key && !Array.isArray(key));
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
  // Without a byte order mark, which some publishers write.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
