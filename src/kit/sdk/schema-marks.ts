import { isObject } from '../contract/openapi-document.ts';
import { nameOf } from './schema.ts';

/** Whether a component is another type in a request than in a response: it, or what it refers to, is marked so. */
export function createMarks(schemas: Readonly<Record<string, unknown>>): (name: string) => boolean {
  const users = new Map<string, string[]>();
  const marked: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    walk(schema, (node) => {
      if (node.readOnly === true || node.writeOnly === true) marked.push(name);
      const used = typeof node.$ref === 'string' ? nameOf({ $ref: node.$ref }) : undefined;
      if (used === undefined) return;
      const known = users.get(used) ?? [];
      known.push(name);
      users.set(used, known);
    });
  }
  const found = new Set<string>();
  for (let next = marked.pop(); next !== undefined; next = marked.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    marked.push(...(users.get(next) ?? []));
  }
  return (name) => found.has(name);
}

function walk(value: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (!isObject(value)) return;
  visit(value);
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples' && key !== 'default') walk(child, visit);
  }
}
