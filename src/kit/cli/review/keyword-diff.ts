import {
  type At,
  bounds,
  consequence,
  type Effect,
  forms,
  isImpliedFormat,
  levelOf,
  nounOf,
  partOf,
  type Tell,
  whereText,
} from './schema-facts.ts';
import { plainText } from './schema-form.ts';
import { listText, type Schema, schemaText } from './schema-text.ts';

/** Whether two patterns admit the same texts. */
export type SamePattern = (before: string, after: string) => boolean;

export function compareBounds(
  old: Schema,
  now: Schema,
  at: At,
  tell: Tell,
  same: SamePattern,
): void {
  const say = (key: string, effect: Effect, says: (value: unknown) => string, more = '') => {
    const [a, b] = [old[key], now[key]].map((value) =>
      value === undefined || value === false ? undefined : says(value),
    );
    const message = b
      ? `${nounOf(at)} ${b} ${whereText(at.use)} from now on (before: ${bare(a) ?? 'no such limit'}).`
      : `${nounOf(at)} no longer ${a} ${whereText(at.use)}.`;
    const use = more ? { request: false, response: false } : at.use;
    const brief =
      key === 'pattern' ? `${nounOf(at)} has another form ${whereText(at.use)}.` : message;
    told(
      { ...at, use },
      tell,
      `${kebab(key)}-changed`,
      effect,
      message + more,
      bare(a) ?? 'any',
      bare(b) ?? 'any',
      brief,
    );
  };
  for (const [key, { says, less }] of Object.entries(bounds)) {
    const [a, b] = [old[key], now[key]];
    if (a === b) continue;
    const isNarrower =
      a === undefined ||
      (b !== undefined && (less ? Number(b) < Number(a) : Number(b) > Number(a)));
    const isNothing = /^min(Length|Items|Properties)$/.test(key) && !a && !b;
    if (!isNothing) say(key, isNarrower ? 'narrower' : 'wider', says);
  }
  for (const [key, says] of Object.entries(forms)) {
    const [a, b] = [old[key] || undefined, now[key] || undefined];
    if (a === b) continue;
    const isSame =
      (key === 'pattern' && a !== undefined && b !== undefined && same(String(a), String(b))) ||
      (key === 'format' && a === undefined && isImpliedFormat(now));
    const effect = a === undefined ? 'narrower' : b === undefined ? 'wider' : formEffect(key, a, b);
    say(key, effect, says, isSame ? ' It admits the same values.' : '');
  }
}

/** A phrase without its verb. */
function bare(phrase: string | undefined): string | undefined {
  return phrase?.replace(/^(has|is|holds) /, '');
}

function formEffect(key: string, a: unknown, b: unknown): Effect {
  if (key === 'multipleOf' && Number(b) % Number(a) === 0) return 'narrower';
  if (key === 'multipleOf' && Number(a) % Number(b) === 0) return 'wider';
  if (key === 'format' && a === 'int32' && b === 'int64') return 'wider';
  if (key === 'format' && a === 'int64' && b === 'int32') return 'narrower';
  return 'other';
}

export function compareValues(old: Schema, now: Schema, at: At, tell: Tell): void {
  const [was, is] = [valuesOf(old), valuesOf(now)];
  if (!was && !is) return;
  const [a, b] = [schemaText(old), schemaText(now)];
  if (!was || !is) {
    const message = is
      ? `${nounOf(at)} is now one of ${listText(is)} ${whereText(at.use)}; before, there was no such list.`
      : `${nounOf(at)} is no longer limited to ${listText(was ?? [])} ${whereText(at.use)}.`;
    told(at, tell, is ? 'enum-added' : 'enum-removed', is ? 'narrower' : 'wider', message, a, b);
    return;
  }
  const has = (all: readonly unknown[], value: unknown) =>
    all.some((each) => JSON.stringify(each) === JSON.stringify(value));
  const gone = was.filter((value) => !has(is, value));
  const come = is.filter((value) => !has(was, value));
  if (gone.length > 0) {
    const message = `${nounOf(at)} may no longer be ${listText(gone)} ${whereText(at.use)}.`;
    told(at, tell, 'enum-value-removed', 'narrower', message, a, b);
  }
  if (come.length > 0) {
    const message = `${nounOf(at)} may now also be ${listText(come)} ${whereText(at.use)}.`;
    told(at, tell, 'enum-value-added', 'wider', message, a, b);
  }
}

function valuesOf({ enum: values, const: only }: Schema): readonly unknown[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(values) ? values.filter((each) => each !== null) : undefined;
}

export function compareDefault(old: Schema, now: Schema, at: At, tell: Tell): void {
  const [a, b] = [old.default, now.default].map((each) => JSON.stringify(each));
  if (a === b) return;
  const level = at.use.request ? 'decision' : 'safe';
  const message = at.use.request
    ? `A request without ${nounOf(at)} now means ${b === undefined ? 'nothing in particular' : `\`${b}\``} (before: ${a === undefined ? 'nothing in particular' : `\`${a}\``}).`
    : `The default of ${nounOf(at)} changed.`;
  tell({
    ...where(at),
    rule: 'default-changed',
    level,
    message,
    before: a ?? 'none',
    after: b ?? 'none',
  });
}

const undecided = [
  ...['not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'propertyNames'],
  ...['patternProperties', 'dependentRequired', 'dependentSchemas', 'prefixItems', 'discriminator'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'xml'],
];

/** Keywords of which nobody can tell in general which values they admit more or less. */
export function compareUndecided(old: Schema, now: Schema, at: At, tell: Tell): void {
  for (const key of undecided) {
    const [a, b] = [old[key], now[key]].map(plainText);
    if (a === b) continue;
    const message = `The rule \`${key}\` of ${nounOf(at)} changed ${whereText(at.use)}: whether clients break depends on what they send and read.`;
    const level = at.use.request || at.use.response ? 'decision' : 'safe';
    tell({ ...where(at), rule: `${kebab(key)}-changed`, level, message, before: a, after: b });
  }
}

/** Tells of values that are fewer, more or others than before. */
export function told(
  at: At,
  tell: Tell,
  rule: string,
  effect: Effect,
  message: string,
  before?: string,
  after?: string,
  brief = message,
): void {
  const text = capital(message) + consequence(effect, at.use);
  const short = capital(brief) + consequence(effect, at.use);
  tell({
    ...where(at),
    rule,
    level: levelOf(effect, at.use),
    isLooser: effect === 'wider' && at.use.request,
    message: text,
    brief: short,
    before,
    after,
  });
}

function where(at: At) {
  return { subject: at.subject, part: partOf(at), place: at.place };
}

function kebab(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
