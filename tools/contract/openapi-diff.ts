import type { Change, Level } from './change.ts';
import { redocly } from './redocly.ts';

/** What Redocly tells of one difference, as far as it is read here. */
type Difference = {
  readonly path: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly impact: 'major' | 'minor' | 'patch';
  readonly property?: string;
  readonly verdicts: readonly { readonly message: string }[];
  readonly base?: Side;
  readonly revision?: Side;
};
type Side = { readonly pointer: string; readonly value?: unknown };

const wording = ['description', 'summary', 'title', 'example', 'examples', 'externalDocs'];

/** Every difference between two OpenAPI documents. */
export function openapiChanges(before: string, after: string): Change[] {
  if (before === after) return [];
  const files = { 'before.yaml': before, 'after.yaml': after };
  // The report's shape is Redocly's, version 1.
  const report = redocly('diff', files, ['--fail-on', 'none']) as { changes: Difference[] };
  return report.changes.filter(({ property }) => property !== 'version').map(changeOf);
}

function changeOf(difference: Difference): Change {
  const { property, path, base, revision, verdicts } = difference;
  const message = verdicts.map((verdict) => verdict.message).join(' ') || inWords(difference);
  return {
    contract: 'openapi.yaml',
    level: levelOf(difference),
    isWording: isWording(difference),
    message,
    place: (revision ?? base)?.pointer ?? (property ? `${path}/${property}` : path),
    ...(base && 'value' in base && { before: shown(base.value) }),
    ...(revision && 'value' in revision && { after: shown(revision.value) }),
  };
}

function levelOf(difference: Difference): Level {
  const { impact, typeName, property, base } = difference;
  if (impact === 'major') return 'breaking';
  // Redocly takes both for words; a client that leaves a field out, or reads a header, does not.
  if (typeName === 'Header' && property === 'required' && base?.value === true) return 'breaking';
  if (property === 'default') return 'dangerous';
  return 'safe';
}

function isWording({ property, typeName, impact }: Difference): boolean {
  if (impact !== 'patch' || property === 'default') return false;
  return wording.includes(property ?? '') || /^(Example|Tag|Info|License|Contact)/.test(typeName);
}

function inWords({ kind, property, typeName, path, base, revision }: Difference): string {
  const what = property ? `\`${property}\` of ${place(path)}` : `${typeName} ${place(path)}`;
  if (kind !== 'modified') return `${what} was ${kind}.`;
  const isShort = [base, revision].every((side) => shown(side?.value).length < 40);
  if (!isShort) return `${what} changed.`;
  return `${what} changed from ${shown(base?.value)} to ${shown(revision?.value)}.`;
}

/** A JSON pointer as a person would say it: `GET /books, parameter 1`. */
function place(pointer: string): string {
  const [, , path = '', method = '', ...rest] = pointer.split('/');
  if (!pointer.startsWith('#/paths/')) return pointer.replace('#/', '');
  const decoded = path.replaceAll('~1', '/').replaceAll('~0', '~');
  const inside = rest.map((part) => part.replaceAll('~1', '/')).join(' › ');
  return [`${method.toUpperCase()} ${decoded}`.trim(), inside].filter(Boolean).join(', ');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing');
}
