import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../http/exchange.ts';
import { credentialsIn } from './credentials.ts';
import { schemesOf } from './security-schemes.ts';

/** Whatever a request carries as credentials, as a text that is the same where they are; undefined is none. */
export function createSentCredentials(
  contract: Contract,
): (exchange: Exchange) => string | undefined {
  const keys = [...schemesOf(contract).values()].filter(({ type }) => type === 'apiKey');
  return (exchange) => {
    const { authorization } = exchange.request.headers;
    if (keys.length === 0) return authorization;
    const sent = [authorization, ...keys.map((scheme) => keyIn(exchange, scheme))];
    return sent.some((each) => each !== undefined) ? JSON.stringify(sent) : undefined;
  };
}

type Scheme = Parameters<typeof credentialsIn>[1];

function keyIn(exchange: Exchange, scheme: Scheme): unknown {
  try {
    return credentialsIn(exchange, scheme);
  } catch {
    // Given twice, which is refused.
    return undefined;
  }
}
