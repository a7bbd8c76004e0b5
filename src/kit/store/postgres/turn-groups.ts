import { ApiError } from '../../errors.ts';

export type Ask<Asked, Answer> = (asked: Asked) => Promise<Answer>;

/** How one is answered, and several at once, in their order. */
export type Answering<Asked, Answer> = {
  readonly alone: Ask<Asked, Answer>;
  readonly together?: ((asked: readonly Asked[]) => Promise<readonly Answer[]>) | undefined;
  /** How many are answered at once at most. */
  readonly most: number;
  /** What has the same key has the same answer. */
  readonly keyOf: (asked: Asked) => unknown;
};

type Waiting<Asked, Answer> = { readonly asked: Asked } & PromiseWithResolvers<Answer>;

/**
 * Answers together what is asked in one turn of the event loop, after its end: an answer is never older than its
 * question. Where that fails and the database is there, each is asked alone: one of them is at fault.
 */
export function inGroups<Asked, Answer>({
  alone,
  together,
  most,
  keyOf,
}: Answering<Asked, Answer>): Ask<Asked, Answer> {
  let waiting = new Map<unknown, Waiting<Asked, Answer>>();

  function endTurn(): void {
    const all = [...waiting.values()];
    waiting = new Map();
    if (!together) answerEach(all);
    else for (let i = 0; i < all.length; i += most) answer(all.slice(i, i + most), together);
  }

  function answer(
    group: readonly Waiting<Asked, Answer>[],
    together: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
  ): void {
    if (group.length === 1) {
      answerEach(group);
      return;
    }
    together(group.map(({ asked }) => asked)).then(
      (answers) => {
        // There are as many answers.
        for (const [i, { resolve }] of group.entries()) resolve(answers[i] as Answer);
      },
      (error: unknown) => {
        if (!(error instanceof ApiError && error.code === 'unavailable')) answerEach(group);
        else for (const { reject } of group) reject(error);
      },
    );
  }

  function answerEach(group: readonly Waiting<Asked, Answer>[]): void {
    for (const { asked, resolve, reject } of group) alone(asked).then(resolve, reject);
  }

  return (asked) => {
    const key = keyOf(asked);
    const known = waiting.get(key);
    if (known) return known.promise;
    if (waiting.size === 0) setImmediate(endTurn);
    const made = { asked, ...Promise.withResolvers<Answer>() };
    waiting.set(key, made);
    return made.promise;
  };
}
