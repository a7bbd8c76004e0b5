import { readdirSync, readFileSync } from 'node:fs';

// Linux counts CPU time in hundredths of a second.
const TICK = 10_000;

/** Microseconds of CPU that a process and those it started have taken, as Linux tells it. */
export function cpuTime(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf);
  const own = stats.filter((stat) => stat.pid === pid || stat.parent === pid);
  return own.reduce((sum, { ticks }) => sum + ticks, 0) * TICK;
}

function statOf(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [
      {
        pid: Number(pid),
        parent: Number(fields[1]),
        ticks: Number(fields[11]) + Number(fields[12]),
      },
    ];
  } catch {
    // It has ended since it was listed.
    return [];
  }
}
