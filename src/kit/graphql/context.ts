import type { Loaders } from '../../api/loaders.ts';
import type { Authorize } from '../http/authentication.ts';
import type { Store } from '../store/store.ts';
import type { AnswerBudget } from './answer-budget.ts';

/** What the resolvers of one request share. */
export type Context = {
  readonly store: Store;
  /** Made when a list is first read. */
  readonly budget: () => AnswerBudget;
  readonly loaders: Loaders;
  readonly authorize: Authorize;
};
