import { type Document, isObject, resolve } from '../../contract/openapi-document.ts';
import {
  compareBounds,
  compareDefault,
  compareUndecided,
  compareValues,
  type SamePattern,
  told,
} from './keyword-diff.ts';
import { compareProperties } from './property-diff.ts';
import { type At, type Documents, nounOf, type Tell, whereText } from './schema-facts.ts';
import { flattened, plainText, withoutNull } from './schema-form.ts';
import { refName, type Schema, schemaText, typesOf } from './schema-text.ts';
import { compareWording } from './wording-diff.ts';

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
