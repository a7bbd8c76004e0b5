import { operationsOf } from '../../contract/operation.ts';
import type { Change } from './change.ts';
import { listText } from './schema-text.ts';
import type { Sides } from './sides.ts';
import { counted } from './verdict.ts';

/** What is new, in sentences; the changes that they tell are taken. */
export function newsOf(
  changes: readonly Change[],
  documents: Sides['documents'],
  taken: Set<Change>,
): string[] {
  return [
    ...resources(changes, documents, taken),
    ...newInputs(changes, taken),
    ...newFields(changes, taken),
    ...deprecations(changes, taken),
    ...looser(changes, taken),
  ];
}

/** New operations: of a resource that is new as a whole, or beside those that it had. */
function resources(
  changes: readonly Change[],
  { before, after }: Sides['documents'],
  taken: Set<Change>,
): string[] {
  const added = changes.filter(
    ({ rule, contract }) => rule === 'operation-added' && contract === 'OpenAPI',
  );
  for (const change of added) taken.add(change);
  const known = new Set((before ? operationsOf(before) : []).map(({ path }) => resourceOf(path)));
  const summaries = new Map(
    (after ? operationsOf(after) : []).map(({ method, path, object }) => [
      `${method} ${path}`,
      object.summary,
    ]),
  );
  const groups = [
    ...Map.groupBy(added, ({ subject }) => resourceOf(subject.name.split(' ')[1] ?? '')),
  ];
  const [fresh, more] = [
    groups.filter(([name]) => !known.has(name)),
    groups.filter(([name]) => known.has(name)),
  ];
  const told = fresh.map(([name, all]) => {
    const verbs = all.map(({ subject }) => verbOf(subject.name));
    return `${capital(name)} are new: ${[...new Set(verbs)].join(', ')}.`;
  });
  const roots = changes.filter(
    ({ rule, subject }) => rule === 'field-added' && subject.kind === 'operation',
  );
  for (const change of roots) taken.add(change);
  const also = more.map(([name, all]) => {
    const shown = all.map(({ subject }) => {
      const summary = summaries.get(subject.name);
      return summary ? `${lower(summary.replace(/\.$/, ''))} (\`${subject.name}\`)` : subject.name;
    });
    if (shown.length > 3) return `${shown.length} operations are new for ${name}.`;
    return `New for ${name}: ${shown.join('; ')}.`;
  });
  const many = [...told, ...also];
  const shown =
    many.length > 2
      ? [
          `${counted(added.length, 'operation is', 'operations are')} new, for ${listText(
            groups.map(([name]) => name),
            6,
          ).replaceAll('`', '')}.`,
        ]
      : many;
  if (roots.length === 0) return shown;
  return [
    ...shown,
    `GraphQL has new operations: ${listText(
      roots.map(({ subject }) => subject.name),
      6,
    )}.`,
  ];
}

function resourceOf(path: string): string {
  const names = path.split('/').filter((each) => !/^$|\{|^v?\d+(\.\d+)*$|^api$/.test(each));
  return (names[0] ?? 'the API').replaceAll(/[-_]/g, ' ');
}

function verbOf(operation: string): string {
  const [method = '', path = ''] = operation.split(' ');
  const isOne = path.endsWith('}');
  const verbs: Readonly<Record<string, string>> = {
    GET: isOne ? 'get' : 'list',
    POST: 'create',
    PUT: 'replace',
    PATCH: 'change',
    DELETE: 'delete',
  };
  return verbs[method] ?? method.toLowerCase();
}

/** New parameters and arguments: what reads can be narrowed by, and all others by name. */
function newInputs(changes: readonly Change[], taken: Set<Change>): string[] {
  const inputs = changes.filter(({ rule }) => /^(parameter|field-argument)-added$/.test(rule));
  for (const change of inputs) taken.add(change);
  const [filters, others] = [inputs.filter(isFilter), inputs.filter((each) => !isFilter(each))];
  const names = (all: readonly Change[]) => [...new Set(all.map(({ subject }) => subject.name))];
  const parts = (all: readonly Change[]) => [...new Set(all.map(({ part }) => nameOf(part)))];
  const told = [];
  if (filters.length > 0) {
    const filtered = parts(filters).filter((part) => !/^(sort|order)/i.test(part));
    const ways = [
      ...(filtered.length < parts(filters).length ? ['sorted'] : []),
      ...(filtered.length > 0 ? [`filtered by ${listText(filtered, 5)}`] : []),
    ];
    told.push(`${listText(names(filters), 4)} can be ${ways.join(' and ')}.`);
  }
  if (others.length > 0) {
    const [first = ''] = names(others);
    const where =
      names(others).length === 1
        ? `\`${first}\` takes`
        : `${names(others).length} operations and types take`;
    told.push(`${where} more inputs: ${listText(parts(others), 5)}.`);
  }
  return told;
}

/** What a read can be narrowed by: parameters of the query, and arguments of Query. */
function isFilter({ subject, part, rule, contract }: Change): boolean {
  if (contract === 'GraphQL')
    return rule === 'field-argument-added' && subject.name.startsWith('Query.');
  return subject.name.startsWith('GET ') && part.startsWith('query ');
}

function nameOf(part: string): string {
  return part.split(' ').at(-1)?.split('.').at(-1) ?? part;
}

/** New members of records, once where both contracts have them. */
function newFields(changes: readonly Change[], taken: Set<Change>): string[] {
  const fields = changes.filter(
    ({ rule, subject, part }) =>
      /^(property|request-property|field|input-field)-added$/.test(rule) &&
      part !== '' &&
      subject.kind !== 'api',
  );
  for (const change of fields) taken.add(change);
  // Types first: what operations take follows from them.
  fields.sort(
    (a, b) => Number(a.subject.kind === 'operation') - Number(b.subject.kind === 'operation'),
  );
  const byType = [...Map.groupBy(fields, ({ subject }) => subject.name)].map(
    ([name, all]) => [name, [...new Set(all.map(({ part }) => part))]] as const,
  );
  if (byType.length === 0) return [];
  const shown = byType
    .slice(0, 3)
    .map(([name, parts]) => `\`${name}\` gains ${listText(parts, 3)}`);
  const more = byType.length - shown.length;
  return [`${shown.join('; ')}${more > 0 ? `; ${more} more gain fields` : ''}.`];
}

/** Limits on what clients send that admit more than before. */
function looser(changes: readonly Change[], taken: Set<Change>): string[] {
  const found = changes.filter(({ isLooser }) => isLooser);
  for (const change of found) taken.add(change);
  if (found.length === 0) return [];
  const names = found.map(({ subject, part }) => (part ? `${subject.name} ${part}` : subject.name));
  return [`Limits on what clients send are looser: ${listText([...new Set(names)], 4)}.`];
}

function deprecations(changes: readonly Change[], taken: Set<Change>): string[] {
  const found = changes.filter(({ rule }) =>
    /^(deprecated|field-deprecation-added|enum-value-deprecation-reason-added)$/.test(rule),
  );
  for (const change of found) taken.add(change);
  if (found.length === 0) return [];
  const names = found.map(({ subject, part }) =>
    part ? `${subject.name}.${part.replace(/\.?@deprecated$/, '')}` : subject.name,
  );
  return [
    `${listText([...new Set(names)], 4)} ${names.length === 1 ? 'is' : 'are'} deprecated: what uses them still works.`,
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
