/** What a trace of system calls says about writes and answers. */
export type Order = {
  /** Answers that say that something was stored. */
  readonly answers: number;
  /** How often the log of the database was flushed to disk. */
  readonly flushes: number;
  /** Answers that went out while the log had been written to and not flushed since. */
  readonly early: number;
};

const WRITTEN = /^\S+ +(?:pwrite64|pwritev|write|writev)\(\d+<[^>]*-wal>.*= \d+/;
const FLUSHED = /^\S+ +f(?:data)?sync\(\d+<[^>]*-wal>\) += 0/;
const ANSWERED = /^\S+ +(?:write|writev|sendto|sendmsg)\(.*HTTP\/1\.1 20[014] /;

/** Reads the calls in the order in which they returned, as `strace -y` writes them. */
export function orderIn(trace: string): Order {
  let [answers, flushes, early] = [0, 0, 0];
  let isFlushed = true;
  for (const line of trace.split('\n')) {
    if (WRITTEN.test(line)) isFlushed = false;
    else if (FLUSHED.test(line)) {
      isFlushed = true;
      flushes++;
    } else if (ANSWERED.test(line)) {
      answers++;
      if (!isFlushed) early++;
    }
  }
  return { answers, flushes, early };
}
