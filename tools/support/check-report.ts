/** Prints the checks of a script. */
export type Report = {
  /** A finding that must hold. */
  check(holds: boolean, text: string): void;
  /** A time or rate with a bound. A busy machine moves it, so the short form of a script prints it and goes on. */
  timing(holds: boolean, text: string): void;
  /** A figure without a bound. */
  note(text: string): void;
};

/** A promise, and the fault injection that tests it. */
export type Fault = {
  readonly promise: string;
  /** How the long form tests it. */
  readonly how: string;
  /** Resolves with the figures for the table, or why it was skipped. */
  run(report: Report, isShort: boolean): Promise<string | Skipped>;
};

export type Skipped = { readonly skipped: string };

/** Prints checks and counts failures. */
export function createReport(isShort: boolean): Report & { failures(): number } {
  let failed = 0;
  const check = (holds: boolean, text: string) => {
    if (!holds) failed++;
    process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${text}\n`);
  };
  return {
    check,
    timing(holds, text) {
      if (holds || !isShort) check(holds, text);
      else process.stdout.write(`slow ${text}\n`);
    },
    note: (text) => void process.stdout.write(`     ${text}\n`),
    failures: () => failed,
  };
}

/** Milliseconds as text in seconds. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function counted(answers: ReadonlyMap<string, number>): string {
  return [...answers].map(([status, count]) => `${status}: ${count}`).join(', ');
}
