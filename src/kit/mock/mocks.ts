import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import type { Reply } from '../http/exchange.ts';
import { DEFAULT_SEED } from '../seeded-random.ts';
import { createMockAnswer, createMockRefusal } from './mock-answer.ts';
import { createStatefulAnswer, type MockRequest } from './stateful-answer.ts';

/** How operations and fields without code are answered. */
export type MockOptions = {
  /** Decides which values are made; 1 if it is not said. */
  readonly seed?: number;
  /** Whether nothing is kept that is sent. */
  readonly stateless?: boolean;
};

/** The answers of the operations that have no handler. */
export type Mocks = {
  readonly seed: number;
  answer(operation: Operation, request: MockRequest): Reply;
  /** What an operation declares for a status that the kit refuses with. */
  refusal(operation: Operation, status: number): Reply | undefined;
};

export function createMocks(
  contract: Contract,
  { seed = DEFAULT_SEED, stateless = false }: MockOptions,
): Mocks {
  const plain = createMockAnswer(contract, seed);
  return {
    seed,
    answer: stateless
      ? (operation, { accept, preference }) => plain(operation, accept, preference)
      : createStatefulAnswer(contract, plain, seed),
    refusal: createMockRefusal(plain),
  };
}
