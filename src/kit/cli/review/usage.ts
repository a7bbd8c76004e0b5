import { WrongUse } from '../command.ts';
import { namedText } from '../project.ts';

/** How often a part of the API was used, and when last; empty where nobody knows. */
export type Use = { readonly count: number; readonly last: string };

/** The uses of operations, parameters and fields by name. */
export type Usage = ReadonlyMap<string, Use>;

/** Reads a usage report: a copy of `/metrics`, or a JSON object `{ "name": { "count": 3, "last": "2026-11-01" } }`. */
export function readUsage(file: string | undefined): Usage {
  if (!file) return new Map();
  const text = namedText(file);
  if (text.trimStart().startsWith('{')) return fromJson(text, file);
  if (family.test(text)) return fromMetrics(text);
  throw new WrongUse(`${file} is neither a copy of /metrics nor a JSON object`);
}

function fromJson(text: string, file: string): Usage {
  const entries = Object.entries(objectIn(text, file)).map(([name, value]) => {
    const { count, last = '' } = typeof value === 'number' ? { count: value } : Object(value);
    if (typeof count !== 'number') throw new WrongUse(`${file}: ${name} has no count`);
    return [name, { count, last: String(last) }] as const;
  });
  return new Map(entries);
}

function objectIn(text: string, file: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`${file}: ${Object(error).message}`);
  }
}

/** A server that has answered nothing yet declares what it counts. */
const family = /^(?:# TYPE )?accord_\w+/m;
const families = /^accord_(requests|rest_deprecated_use|graphql_deprecated_use)_total\{/;

function fromMetrics(text: string): Usage {
  const found = new Map<string, Use>();
  for (const line of text.split('\n')) {
    if (!families.test(line)) continue;
    const [, name = ''] = /(?:operation|part)="([^"]*)"/.exec(line) ?? [];
    const value = Number(line.slice(line.lastIndexOf(' ') + 1));
    const isRequests = line.startsWith('accord_requests');
    // A deprecated operation is counted among the requests too.
    if (!isRequests && found.has(name)) continue;
    found.set(name, { count: (found.get(name)?.count ?? 0) + value, last: '' });
  }
  return found;
}
