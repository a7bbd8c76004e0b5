import { spawn } from 'node:child_process';

/** A project of somebody who uses an SDK. */
export type Project = {
  readonly language: string;
  /** What the compiler says about programs, by file; nothing about those that are right. */
  check(programs: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>>;
  /** Runs a program that has been checked. */
  run(file: string, parameters?: readonly string[]): Promise<Ended>;
  remove(): void;
};

export type Ended = { readonly code: number | null; readonly output: string; readonly log: string };

/** Runs a command to its end. */
export function ended(command: string, args: readonly string[], folder: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output, log }));
  });
}

/** The same, where anything but success is the end of it all. */
export async function demanded(
  command: string,
  args: readonly string[],
  folder: string,
): Promise<string> {
  const { code, output, log } = await ended(command, args, folder);
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${output}${log}`);
  return output;
}

/** What a compiler printed, put together for each file that it names. */
export function byFile(
  output: string,
  line: RegExp,
  files: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (file: string, text: string) => found.set(file, `${found.get(file) ?? ''}${text}\n`);
  let current = '';
  for (const text of output.split('\n')) {
    const file = text.match(line)?.[1];
    // A message goes on in the lines below it that are indented.
    if (file) current = files.includes(file) ? file : 'elsewhere';
    else if (!text.startsWith(' ')) current = '';
    if (current !== '') add(current, text);
    else if (/\berror\b/.test(text) && !/^Found \d+ errors? in/.test(text)) add('elsewhere', text);
  }
  return found;
}
