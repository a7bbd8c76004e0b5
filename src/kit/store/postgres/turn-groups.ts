import { ApiError } from '../../errors.ts';
import { whenGathered } from '../gathering.ts';

export type Ask<Asked, Answer> = (asked: Asked) => Promise<Answer>;

/** How one is answered, and several at once, in their order. */
export type Answering<Asked, Answer> = {
  readonly alone: Ask<Asked, Answer>;
  readonly together?: ((asked: readonly Asked[]) => Promise<readonly Answer[]>) | undefined;
  /** How many are answered at once at most. */
  readonly most: number;
  /** What has the same key has the same answer. */
  readonly keyOf: (asked: Asked) => unknown;
  /** Whether what is asked while a statement is under way waits for it, to be answered together. */
  readonly waits?: boolean;
};

// Milliseconds: a statement that hangs does not hold up the next one.
const LONGEST_WAIT = 20;

type Waiting<Asked, Answer> = { readonly asked: Asked } & PromiseWithResolvers<Answer>;

/**
 * Answers together what is asked in one turn of the event loop, after its end; with `waits`, in turns in a row and until
 * the statement under way is answered. An answer is never older than its question. Where that fails and the database is
 * there, each is asked alone: one of them is at fault.
 */
export function inGroups<Asked, Answer>({
  alone,
  together,
  most,
  keyOf,
  waits = false,
}: Answering<Asked, Answer>): Ask<Asked, Answer> {
  let waiting = new Map<unknown, Waiting<Asked, Answer>>();
  let underWay = 0;
  let late: NodeJS.Timeout | undefined;
  const size = () => waiting.size;

  function answerOrWait(): void {
    if (underWay === 0) answerAll();
    else late = setTimeout(answerAll, LONGEST_WAIT);
  }

  function answerAll(): void {
    clearTimeout(late);
    late = undefined;
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
    const answering = together(group.map(({ asked }) => asked));
    count(answering);
    answering.then(
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
    for (const { asked, resolve, reject } of group) {
      const answering = alone(asked);
      count(answering);
      answering.then(resolve, reject);
    }
  }

  function count(answering: Promise<unknown>): void {
    underWay++;
    const end = () => {
      underWay--;
      // Whoever is answered may ask again at once.
      if (late && underWay === 0) whenGathered(size, answerAll);
    };
    answering.then(end, end);
  }

  return (asked) => {
    const key = keyOf(asked);
    const known = waiting.get(key);
    if (known) return known.promise;
    const made = { asked, ...Promise.withResolvers<Answer>() };
    waiting.set(key, made);
    if (waiting.size > 1) return made.promise;
    if (waits) whenGathered(size, answerOrWait);
    else setImmediate(answerAll);
    return made.promise;
  };
}
