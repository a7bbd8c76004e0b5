import type { WriteLine } from './log.ts';

/** Writes lines of JSON in a form for people. */
export function readable(write: (text: string) => void): WriteLine {
  return (line) => write(form(JSON.parse(line)));
}

type Line = Readonly<Record<string, unknown>>;

function form(line: Line): string {
  const { time, level: _level, pid: _pid, msg, ...rest } = line;
  const at = new Date(String(time)).toTimeString().slice(0, 8);
  if (msg === undefined) return `${at} ${request(rest)}\n`;
  const { request: id, cause, ...details } = rest;
  const head = `${at} ${msg}${id === undefined ? '' : ` (${id})`}\n`;
  const named = Object.entries(details).map(([name, value]) => `  ${name.padEnd(9)} ${value}\n`);
  return plain(head + named.join('') + because(cause));
}

function request({ id, operation, graphql, method, path, status, ms }: Line): string {
  const name = graphql === undefined ? operation : `${operation} ${graphql}`;
  return plain(`${method} ${path} ${status} ${ms} ms  ${name} ${id}`);
}

function because(cause: unknown): string {
  if (cause === undefined) return '';
  const { stack = cause, cause: inner } = Object(cause);
  return `${String(stack).replaceAll(/^/gm, '  ')}\n${because(inner)}`;
}

// JSON keeps what could colour the terminal or move about in it; a line for people must not.
function plain(text: string): string {
  return text.replace(/[^\n\x20-\x7e\xa0-\uffff]/g, '?');
}
