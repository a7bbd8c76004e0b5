import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Microseconds of CPU, user and system, of a process and its children. */
export function cpuTime(pid: number): number {
  return [...cpuTimes(pid).values()].reduce((sum, each) => sum + each, 0);
}

/** The same for each of the processes, by id. */
export function cpuTimes(pid: number): Map<number, number> {
  if (!existsSync(`/proc/${pid}/task`)) return new Map([[pid, cpuTimeByPs(pid)]]);
  const times = new Map([[pid, 0]]);
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${task}`;
    times.set(pid, (times.get(pid) ?? 0) + taskTime(folder));
    for (const child of read(`${folder}/children`).split(' ').filter(Boolean)) {
      for (const [id, time] of cpuTimes(Number(child))) times.set(id, time);
    }
  }
  return times;
}

/** schedstat has nanoseconds; where the kernel was built without it, stat has hundredths of a second. */
function taskTime(folder: string): number {
  const nanoseconds = Number(read(`${folder}/schedstat`).split(' ')[0]);
  if (nanoseconds > 0) return nanoseconds / 1000;
  const stat = read(`${folder}/stat`);
  // The program's name is in brackets and may contain spaces.
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

/** A process's resident set, in bytes. */
export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`));
  const kibibytes =
    found?.[1] ?? execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kibibytes) * 1024;
}

/** A file of /proc; empty when its process or thread has ended, or the system has no such file. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
