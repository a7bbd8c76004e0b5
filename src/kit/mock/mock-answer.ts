import type { Contract } from '../contract/contract.ts';
import { isJsonType } from '../contract/media-type.ts';
import type { Operation } from '../contract/operation.ts';
import { responseOf } from '../contract/response-check.ts';
import { ApiError, invalid } from '../errors.ts';
import { preferred } from '../http/accept.ts';
import { MOCKED, type Reply } from '../http/exchange.ts';
import { createLru } from '../lru.ts';
import { createRandom, DEFAULT_SEED, type Random } from '../seeded-random.ts';
import { examplesOf } from './contract-examples.ts';
import { mockBody, typeIn } from './mock-body.ts';
import { mockHeaders } from './mock-headers.ts';
import { mockStatus } from './mock-status.ts';
import { createMockValues, type MockValues } from './mock-values.ts';
import type { Preference } from './preference.ts';

/** Answers an operation, given the client's `Accept` and `Prefer`. */
export type MockAnswer = (
  operation: Operation,
  accept: string | undefined,
  preference?: Preference,
) => Reply;

/** The most operations whose answers are kept. */
const MOST_OPERATIONS = 300;

/**
 * Answers operations from the contract: its examples first, then values made from its schemas, and only what it
 * admits. The same request gets the same answer, and with the same seed the same sequence of `dynamic=true` too.
 */
export function createMockAnswer(contract: Contract, seed: number = DEFAULT_SEED): MockAnswer {
  const repliesOf = createLru(MOST_OPERATIONS, (_: Operation) => ({
    values: createMockValues(contract),
    kept: new Map<string, Reply>(),
  }));
  let made = 0;
  return (operation, accept, { code, example, dynamic } = {}) => {
    const status = mockStatus(operation, code);
    const declared = Object.keys(responseOf(operation, status)?.content ?? {});
    const isJson = (each: string) => isJsonType(typeIn(each));
    // JSON where the client has no preference.
    const types = [...declared.filter(isJson), ...declared.filter((each) => !isJson(each))];
    const wanted = preferred(accept, types.map(typeIn));
    const type = types.find((each) => typeIn(each) === wanted) ?? types[0];
    const { values, kept } = repliesOf(operation);
    if (dynamic === 'true') {
      const random = createRandom(`${seed} ${operation.id} ${made++}`);
      return replyOf(operation, values, { status, type, example, random, isDynamic: true });
    }
    const key = JSON.stringify([status, type, example]);
    const random = seed === DEFAULT_SEED ? undefined : createRandom(`${seed} ${operation.id}`);
    const reply = kept.get(key) ?? replyOf(operation, values, { status, type, example, random });
    // A status or an example that the contract does not have has thrown.
    kept.set(key, reply);
    return reply;
  };
}

/**
 * What an operation declares for a status that the kit refuses with; undefined where that cannot be made. The refusal
 * itself is not mocked, and does not say so.
 */
export function createMockRefusal(
  answer: MockAnswer,
): (operation: Operation, status: number) => Reply | undefined {
  return (operation, status) => {
    try {
      const reply = answer(operation, undefined, { code: String(status) });
      const { [MOCKED]: _, ...headers } = reply.headers;
      return { ...reply, headers };
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  };
}

type Chosen = {
  readonly status: number;
  readonly type: string | undefined;
  readonly example: string | undefined;
  readonly random: Random | undefined;
  /** Whether examples are taken only where one is asked for. */
  readonly isDynamic?: boolean;
};

function replyOf(
  operation: Operation,
  values: MockValues,
  { status, type, example, random, isDynamic = false }: Chosen,
): Reply {
  const what = `${operation.method} ${operation.path} ${status}`;
  const declared = responseOf(operation, status) ?? {};
  const media = Object(type === undefined ? {} : declared.content?.[type]);
  const examples = examplesOf(values.document, media, example);
  if (example !== undefined && examples.length === 0) {
    throw invalid('/headers/prefer', `asks for an example that ${what} does not have`);
  }
  const headers = { ...mockHeaders(values, declared, what), [MOCKED]: 'true' };
  // RFC 9110: these have no body.
  const isEmpty = type === undefined || [204, 205, 304].includes(status);
  if (isEmpty) return { status, headers, body: undefined };
  const taken = isDynamic && example === undefined ? [] : examples;
  const made = mockBody(values, { type, schema: media.schema, examples: taken, random, what });
  if (made) return { status, headers, ...made };
  const why = values.whyNot(media.schema);
  const detail = `The mock cannot make a body that the contract admits for ${what} (${type}): ${why}.`;
  throw new ApiError('internal-error', { detail });
}
