/** Makes a function that only observes throw nothing: its failures are counted and logged under its name. */
export type Guard = <Given extends unknown[]>(
  name: string,
  observe: (...given: Given) => void,
) => (...given: Given) => void;

export function createGuard(onFailure: (name: string, cause: unknown) => void): Guard {
  return (name, observe) =>
    (...given) => {
      try {
        observe(...given);
      } catch (cause) {
        tell(name, cause);
      }
    };

  // Nobody is left to tell that telling failed.
  function tell(name: string, cause: unknown): void {
    try {
      onFailure(name, cause);
    } catch {}
  }
}
