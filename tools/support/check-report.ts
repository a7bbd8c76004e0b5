/** What a fault's script says as it goes. */
export type Report = {
  /** A finding, and whether it is as it must be. */
  check(holds: boolean, text: string): void;
  /** What is neither right nor wrong. */
  note(text: string): void;
};

/** One promise, the fault that puts it to the test, and what was seen. */
export type Fault = {
  readonly promise: string;
  /** How it is tested, in its long form. */
  readonly how: string;
  /** Puts it to the test; gives the figures for the table, or why they could not be had. */
  run(report: Report, isShort: boolean): Promise<string | Skipped>;
};

export type Skipped = { readonly skipped: string };

/** Prints what is seen, and counts what does not hold. */
export function createReport(): Report & { failures(): number } {
  let failed = 0;
  return {
    check(holds, text) {
      if (!holds) failed++;
      process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${text}\n`);
    },
    note: (text) => void process.stdout.write(`     ${text}\n`),
    failures: () => failed,
  };
}

/** Milliseconds, told in seconds. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function counted(answers: ReadonlyMap<string, number>): string {
  return [...answers].map(([status, count]) => `${status}: ${count}`).join(', ');
}
