import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Microseconds of CPU that a process and those it started have taken, in user and kernel mode. */
export function cpuTime(pid: number): number {
  if (!existsSync(`/proc/${pid}/task`)) return cpuTimeByPs(pid);
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const folder = `/proc/${pid}/task/${task}`;
    const children = read(`${folder}/children`).split(' ').filter(Boolean);
    return children.reduce((own, child) => own + cpuTime(Number(child)), sum + taskTime(folder));
  }, 0);
}

/** The scheduler counts nanoseconds; a kernel that was built without this counts hundredths of a second. */
function taskTime(folder: string): number {
  const nanoseconds = Number(read(`${folder}/schedstat`).split(' ')[0]);
  if (nanoseconds > 0) return nanoseconds / 1000;
  const stat = read(`${folder}/stat`);
  // The name of the program stands in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000;
}

// [[days-]hours:]minutes:seconds.hundredths
function cpuTimeByPs(pid: number): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' });
  const units = time.trim().split(/[-:]/).map(Number);
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = units.reverse();
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000_000;
}

/** Bytes that a process holds in memory. */
export function memory(pid: number): number {
  const found = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`));
  const kibibytes =
    found?.[1] ?? execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kibibytes) * 1024;
}

/** What a file of /proc says; nothing when its process or thread has ended, or there is no such file. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
