import { type Document, resolve } from '../../contract/openapi-document.ts';
import { canonical } from './canonical.ts';
import type { Change, Level } from './change.ts';
import { redocly } from './redocly.ts';
import { admitSameTexts } from './same-pattern.ts';

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
  const files = { 'before.yaml': canonical(before), 'after.yaml': canonical(after) };
  // The report's shape is Redocly's, version 1.
  const report = redocly('diff', files, ['--fail-on', 'none']) as { changes: Difference[] };
  const document: Document = JSON.parse(files['after.yaml']);
  return report.changes
    .filter(({ property }) => property !== 'version')
    .map((difference) => changeOf(document, difference));
}

function changeOf(document: Document, difference: Difference): Change {
  const { property, path, base, revision, verdicts } = difference;
  const told = verdicts.map((verdict) => verdict.message).join(' ') || inWords(difference);
  const isSame = isSamePattern(difference) || isWithinBounds(document, difference);
  const level = isSame ? 'safe' : levelOf(difference);
  const reason = level === 'breaking' ? compatibility(document, difference) : undefined;
  const message = isSame ? `${told} It admits the same values.` : told;
  return {
    contract: 'OpenAPI',
    level: reason ? 'dangerous' : level,
    isWording: isWording(difference),
    message: reason ? `${message} ${reason}` : message,
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

/** Why a schema that was widened breaks no client, as the contract's `x-compatible` says. */
function compatibility(document: Document, { revision }: Difference): string | undefined {
  if (!revision) return undefined;
  const $ref = revision.pointer.slice(0, revision.pointer.lastIndexOf('/'));
  const { 'x-compatible': reason } = Object(resolve(document, { $ref }));
  return typeof reason === 'string' ? reason : undefined;
}

function isSamePattern({ property, kind, base, revision }: Difference): boolean {
  if (property !== 'pattern' || kind !== 'modified') return false;
  return admitSameTexts(String(base?.value), String(revision?.value));
}

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63 - 1],
};

/** A format of integers that the bounds beside it imply. */
function isWithinBounds(document: Document, { property, base, revision }: Difference): boolean {
  if (property !== 'format' || base?.value !== undefined || !revision) return false;
  const $ref = revision.pointer.replace(/\/format$/, '');
  const { type, minimum, maximum } = Object(resolve(document, { $ref }));
  const [least, most] = ranges[String(revision.value)] ?? [0, -1];
  return type === 'integer' && minimum >= least && maximum <= most;
}

function isWording({ property, typeName, impact }: Difference): boolean {
  if (impact !== 'patch' || property === 'default') return false;
  return wording.includes(property ?? '') || /^(Example|Tag|Info|License|Contact)/.test(typeName);
}

const nouns: Readonly<Record<string, string>> = {
  HeadersMap: 'headers',
  SchemaProperties: 'properties',
  SpecExtension: 'note',
};

function inWords({ kind, property, typeName, path, base, revision }: Difference): string {
  const noun = nouns[typeName] ?? typeName.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const what = property ? `\`${property}\` in ${place(path)}` : `${noun} of ${place(path)}`;
  if (kind === 'added' || (base && base.value === undefined)) return `New: the ${what}.`;
  if (kind === 'removed') return `Gone: the ${what}.`;
  const isShort = [base, revision].every((side) => /^.{0,40}$/.test(shown(side?.value)));
  if (!isShort) return `The ${what} changed.`;
  return `The ${what} changed from ${shown(base?.value)} to ${shown(revision?.value)}.`;
}

/** A JSON pointer as a person would say it: `GET /planets, answer 200, name`. */
function place(pointer: string): string {
  const parts = pointer
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [, path = '', method = '', ...rest] = parts;
  if (parts[0] !== 'paths') return parts.filter((part) => part !== 'components').join(', ');
  const inside = rest
    .join('\n')
    .replaceAll(/\b(content\n[^\n]*|schema|properties|headers)(\n|$)/g, '')
    .replaceAll(/^responses\n/gm, 'answer ')
    .replaceAll('requestBody', 'request')
    .split('\n');
  return [`${method.toUpperCase()} ${path}`.trim(), ...inside].filter(Boolean).join(', ');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing');
}
