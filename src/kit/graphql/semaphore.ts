/** Lets so many in at a time; others wait in their order. */
export type Semaphore = {
  /** Resolves when there is room, to what leaves it again, which may be called more than once. */
  enter(): Promise<() => void>;
};

export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = [];
  let inside = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  }

  return {
    async enter() {
      if (inside < most) inside++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isInside = true;
      return () => {
        if (isInside) leave();
        isInside = false;
      };
    },
  };
}
