/** Says what was seen; what does not hold makes the script fail. */
export function createReport() {
  let failed = 0;
  return {
    /** A finding, and whether it is as it must be. */
    check(holds: boolean, text: string): void {
      if (!holds) failed++;
      process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${text}\n`);
    },
    end(): void {
      process.exitCode = failed === 0 ? 0 : 1;
    },
  };
}

/** Milliseconds, told in seconds. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

export function counted(answers: ReadonlyMap<string, number>): string {
  return [...answers].map(([status, count]) => `${status}: ${count}`).join(', ');
}
