import type { Contract } from '../contract/contract.ts';
import { TooLong } from '../contract/counted-validate.ts';
import type { Operation } from '../contract/operation.ts';
import { hasBody, isPlainJson, parseJson, readBytes } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { createLru } from '../lru.ts';
import type { AnyInput } from './handler.ts';
import { type Admits, type Rules, rulesOf } from './lane-rules.ts';
import type { ParameterValues } from './parameters.ts';

type Admitted = AnyInput | undefined;

/** The most operations whose rules are kept. */
const MOST_RULES = 300;

/** The fast lane: the input of a request that is plainly valid; undefined for all that the validator must judge. */
export function createLane(
  contract: Contract,
): (exchange: Exchange) => Admitted | Promise<Admitted> {
  const rulesFor = createLru(MOST_RULES, (operation: Operation) =>
    attempt(() => rulesOf(contract, operation)),
  );
  return (exchange) => {
    const { operation, request } = exchange;
    const rules = operation && rulesFor(operation);
    const values = rules && attempt(() => rules.read(exchange));
    if (!values) return undefined;
    if (operation.body && hasBody(request)) {
      if (!rules.admitsJson || !isPlainJson(request)) return undefined;
      return withBody(exchange, rules, rules.admitsJson, values);
    }
    const input = { ...values, body: undefined };
    return attempt(() => rules.admits?.(input)) ? input : undefined;
  };
}

/** What is made; undefined where that fails: the validator then says why. What takes too long for one does for both. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof TooLong) throw error;
    return undefined;
  }
}

async function withBody(
  exchange: Exchange,
  { bound }: Rules,
  admits: Admits,
  values: ParameterValues,
): Promise<Admitted> {
  const bytes = await readBytes(exchange);
  const body = attempt(() => {
    const value = parseJson(bytes);
    bound(value, '/body');
    return value;
  });
  const input = { ...values, body };
  // A schema may admit the absence of a body, which an undefined one is.
  return body !== undefined && attempt(() => admits(input)) ? input : undefined;
}
