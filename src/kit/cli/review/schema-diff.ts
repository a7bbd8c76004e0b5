import { type Document, isObject, resolve } from '../../contract/openapi-document.ts';
import { compareProperties } from './property-diff.ts';
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
import { flattened, plainText, withoutNull } from './schema-form.ts';
import { listText, refName, type Schema, schemaText, typesOf } from './schema-text.ts';
import { compareWording } from './wording-diff.ts';

export type Documents = { readonly before: Document; readonly after: Document };

/** Whether two patterns admit the same texts. */
export type SamePattern = (before: string, after: string) => boolean;

export type CompareSchemas = (old: unknown, now: unknown, at: At) => void;

/** Compares two schemas and tells every difference. What both refer to by one name is compared where it stands. */
export function createSchemaComparison(
  documents: Documents,
  isSamePattern: SamePattern,
  tell: Tell,
): CompareSchemas {
  function compare(old: unknown, now: unknown, at: At, above: readonly string[]): void {
    if (old === now) return;
    const names = [refName(old), refName(now)];
    if (names[0] !== undefined && names[0] === names[1]) {
      compareWording(Object(old), Object(now), at, tell);
      return;
    }
    const key = names.join(' ');
    if (above.includes(key)) return;
    const within = names.some(Boolean) ? [...above, key] : above;
    const [a, b] = [whole(documents.before, old), whole(documents.after, now)];
    if (JSON.stringify(a) === JSON.stringify(b)) return;
    const told = excused(b, tell);
    compareWording(a, b, at, told);
    compareNull(a, b, at, told);
    const [first, second] = [withoutNull(a), withoutNull(b)];
    const lists = [alternatives(first), alternatives(second)] as const;
    if (lists[0].length > 1 || lists[1].length > 1) {
      compareAlternatives(...lists, at, told, (x, y) => compare(x, y, at, within));
      return;
    }
    const [c, d] = lists.map(([only]) => only) as [unknown, unknown];
    if (c !== first || d !== second) {
      compare(c, d, at, within);
      return;
    }
    const [e, f] = joined(documents, first, second);
    if (!compareTypes(e, f, at, told)) {
      compareDefault(e, f, at, told);
      return;
    }
    compareBounds(e, f, at, told, isSamePattern);
    compareValues(e, f, at, told);
    compareDefault(e, f, at, told);
    compareUndecided(e, f, at, told);
    if (e.items !== undefined || f.items !== undefined) {
      const inside = { ...at, path: [...at.path, '[]'], place: `${at.place}/items` };
      compare(e.items ?? true, f.items ?? true, inside, within);
    }
    compareProperties(documents, e, f, at, told, (x, y, place) => compare(x, y, place, within));
  }
  return (old, now, at) => compare(old, now, at, []);
}

/** A schema in place of a reference to it; members beside the reference win. */
function whole(document: Document, schema: unknown): Schema {
  if (schema === true || schema === undefined) return {};
  if (!isObject(schema)) return { not: {} };
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') return schema;
  return { ...Object(resolve(document, { $ref })), ...own };
}

/** A schema that was widened says by `x-compatible` why it breaks no client. */
function excused({ 'x-compatible': reason }: Schema, tell: Tell): Tell {
  if (typeof reason !== 'string') return tell;
  const why = ` Why it may pass: ${reason}`;
  return (fact) => {
    if (fact.level !== 'breaking') return tell(fact);
    const { message, brief = message } = fact;
    return tell({ ...fact, level: 'decision', message: message + why, brief: brief + why });
  };
}

/** Both without `allOf`, where they are put together in other ways. */
function joined({ before, after }: Documents, old: Schema, now: Schema): [Schema, Schema] {
  if (old.allOf === undefined && now.allOf === undefined) return [old, now];
  return [flattened(before, old), flattened(after, now)];
}

function alternatives(schema: Schema): readonly unknown[] {
  const all = schema.oneOf ?? schema.anyOf;
  return Array.isArray(all) && all.length > 0 ? all : [schema];
}

function compareNull(old: Schema, now: Schema, at: At, tell: Tell): void {
  const [was, is] = [old, now].map((each) => each !== withoutNull(each));
  if (was === is) return;
  const effect = is ? 'wider' : 'narrower';
  const message = is
    ? `${nounOf(at)} may now be null ${whereText(at.use)}.`
    : `${nounOf(at)} may no longer be null ${whereText(at.use)}.`;
  const rule = is ? 'became-nullable' : 'became-not-nullable';
  told(at, tell, rule, effect, message, schemaText(old), schemaText(now));
}

function compareTypes(old: Schema, now: Schema, at: At, tell: Tell): boolean {
  const [was, is] = [typesOf(old), typesOf(now)];
  if (was.join() === is.join()) return true;
  const admits = (types: readonly string[], type: string) =>
    types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
  const isWider = was.length > 0 && was.every((type) => admits(is, type));
  const isNarrower = is.length > 0 && is.every((type) => admits(was, type));
  if (isWider && isNarrower) return true;
  // Properties and items imply what many contracts do not write.
  if (impliedType(old) === is.join() || impliedType(now) === was.join()) return true;
  // In an address or a header every value is text.
  const isText =
    at.isText === true && at.path.length === 0 && is.includes('string') && now.format === undefined;
  const effect =
    isWider || (isText && !was.includes('array')) ? 'wider' : isNarrower ? 'narrower' : 'other';
  const [before, after] = [schemaText(old), schemaText(now)];
  const message = `${nounOf(at)} is now ${after} ${whereText(at.use)} (before: ${before}).`;
  told(at, tell, 'type-changed', effect, message, before, after);
  return false;
}

function impliedType({ type, properties, items }: Schema): string | undefined {
  if (type !== undefined) return undefined;
  if (properties !== undefined) return 'object';
  return items === undefined ? undefined : 'array';
}

function compareBounds(old: Schema, now: Schema, at: At, tell: Tell, same: SamePattern): void {
  const say = (key: string, effect: Effect, says: (value: unknown) => string, more = '') => {
    const [a, b] = [old[key], now[key]].map((value) =>
      value === undefined || value === false ? undefined : says(value),
    );
    const message = b
      ? `${nounOf(at)} ${b} ${whereText(at.use)} from now on (before: ${bare(a) ?? 'no such limit'}).`
      : `${nounOf(at)} has one limit fewer ${whereText(at.use)}: before, it ${a}.`;
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

function compareValues(old: Schema, now: Schema, at: At, tell: Tell): void {
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

function compareDefault(old: Schema, now: Schema, at: At, tell: Tell): void {
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
function compareUndecided(old: Schema, now: Schema, at: At, tell: Tell): void {
  for (const key of undecided) {
    const [a, b] = [old[key], now[key]].map(plainText);
    if (a === b) continue;
    const message = `The rule \`${key}\` of ${nounOf(at)} changed ${whereText(at.use)}: whether clients break depends on what they send and read.`;
    const level = at.use.request || at.use.response ? 'decision' : 'safe';
    tell({ ...where(at), rule: `${kebab(key)}-changed`, level, message, before: a, after: b });
  }
}

function compareAlternatives(
  old: readonly unknown[],
  now: readonly unknown[],
  at: At,
  tell: Tell,
  compare: (old: unknown, now: unknown) => void,
): void {
  const known = new Set(old.map(nameOrText));
  const still = new Set(now.map(nameOrText));
  for (const each of old) {
    const same = now.find((other) => nameOrText(other) === nameOrText(each));
    if (same !== undefined) compare(each, same);
  }
  const gone = old.filter((each) => !still.has(nameOrText(each)));
  const come = now.filter((each) => !known.has(nameOrText(each)));
  const [one, other] = [gone[0], come[0]];
  if (gone.length === 1 && come.length === 1) {
    compare(one, other);
    return;
  }
  const texts = [old, now].map((all) => all.map(schemaText).join(' or '));
  for (const each of gone) {
    const message = `${nounOf(at)} is no longer ${schemaText(each)} ${whereText(at.use)}.`;
    told(at, tell, 'alternative-removed', 'narrower', message, texts[0], texts[1]);
  }
  for (const each of come) {
    const message = `${nounOf(at)} may now also be ${schemaText(each)} ${whereText(at.use)}.`;
    told(at, tell, 'alternative-added', 'wider', message, texts[0], texts[1]);
  }
}

function nameOrText(schema: unknown): string {
  return refName(schema) ?? plainText(schema) ?? '';
}

function told(
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
