import { ApiError } from '../../errors.ts';

export type Ask<Asked, Answer> = (asked: Asked) => Promise<Answer>;

/** How one is answered, and several at once, in their order. */
export type Answering<Asked, Answer> = {
  readonly alone: Ask<Asked, Answer>;
  readonly together: (asked: readonly Asked[]) => Promise<readonly Answer[]>;
  /** How many are answered at once at most. */
  readonly most: number;
};

type Waiting<Asked, Answer> = {
  readonly asked: Asked;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Answers together what is asked in one turn of the event loop. Where that fails and the database is there, each is
 * asked alone: one of them is at fault.
 */
export function inGroups<Asked, Answer>({
  alone,
  together,
  most,
}: Answering<Asked, Answer>): Ask<Asked, Answer> {
  let waiting: Waiting<Asked, Answer>[] = [];

  function endTurn(): void {
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += most) answer(all.slice(i, i + most));
  }

  function answer(group: readonly Waiting<Asked, Answer>[]): void {
    if (group.length === 1) {
      answerEach(group);
      return;
    }
    together(group.map(({ asked }) => asked)).then(
      // There are as many answers.
      (answers) => {
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

  return (asked) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(endTurn);
      waiting.push({ asked, resolve, reject });
    });
}
