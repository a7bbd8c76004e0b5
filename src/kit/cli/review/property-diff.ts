import { ownMembers } from '../../contract/inherited-names.ts';
import { type Document, isObject, resolve } from '../../contract/openapi-document.ts';
import { pointerPart } from '../contract/schema-nodes.ts';
import {
  type At,
  type Documents,
  nounOf,
  partOf,
  type Tell,
  type Use,
  whereText,
} from './schema-facts.ts';
import { type Schema, schemaText } from './schema-text.ts';

type Compare = (old: unknown, now: unknown, at: At) => void;

/** Compares the members of two objects. */
export function compareProperties(
  { before, after }: Documents,
  old: Schema,
  now: Schema,
  at: At,
  tell: Tell,
  compare: Compare,
): void {
  const [was, is] = [ownMembers(old.properties), ownMembers(now.properties)];
  const [needed, needs] = [old, now].map(({ required }) => new Set([required ?? []].flat()));
  // A member may be required that has no schema of its own.
  const names = new Set([
    ...Object.keys({ ...was, ...is }),
    ...[...(needed ?? []), ...(needs ?? [])].map(String),
  ]);
  for (const name of names) {
    const [first, second] = [was[name], is[name]];
    const inside = (document: Document, schema: unknown): At => ({
      ...at,
      path: [...at.path, name],
      place: `${at.place}/properties/${pointerPart(name)}`,
      use: useOf(document, schema, at.use),
    });
    if (first === undefined && second === undefined) {
      const place = { ...inside(after, {}), place: at.place };
      compareRequired(needed?.has(name) === true, needs?.has(name) === true, place, tell);
    } else if (second === undefined) tellGone(inside(before, first), tell, first, isClosed(now));
    else if (first === undefined)
      tellNew(inside(after, second), tell, second, needs?.has(name) === true);
    else {
      const place = inside(after, second);
      compareMarks(marksOf(before, first), marksOf(after, second), place, tell);
      compareRequired(needed?.has(name) === true, needs?.has(name) === true, place, tell);
      compare(first, second, place);
    }
  }
  compareOthers(old, now, at, tell, compare);
}

function tellGone(at: At, tell: Tell, schema: unknown, isRefused: boolean): void {
  const { request, response } = at.use;
  const level = response || (request && isRefused) ? 'breaking' : request ? 'decision' : 'safe';
  const sent = isRefused ? 'requests with it are refused' : 'what clients send in it is ignored';
  const told = [
    ...(response ? ['clients that read it find nothing'] : []),
    ...(request ? [sent] : []),
  ];
  const message = `${nounOf(at)} is gone${told.length > 0 ? `: ${told.join(', and ')}` : ''}.`;
  tell({
    ...where(at),
    rule: 'property-removed',
    level,
    message,
    isGone: true,
    before: schemaText(schema),
    after: 'gone',
  });
}

function tellNew(at: At, tell: Tell, schema: unknown, isRequired: boolean): void {
  const { request } = at.use;
  const isNeeded = request && isRequired;
  const text = schemaText(schema);
  const message = isNeeded
    ? `${nounOf(at)} is new and required: requests without it are refused.`
    : `${nounOf(at)} is new ${whereText(at.use)} (${text}).`;
  const rule = request ? 'request-property-added' : 'property-added';
  tell({
    ...where(at),
    rule,
    level: isNeeded ? 'breaking' : 'safe',
    message,
    before: 'not there',
    after: text,
  });
}

function compareRequired(was: boolean, is: boolean, at: At, tell: Tell): void {
  if (was === is) return;
  const { request, response } = at.use;
  const noun = nounOf(at);
  const message = is
    ? `${noun} is now required${request ? ': requests without it are refused' : '; it is always there'}.`
    : `${noun} is now optional${response ? ': clients that rely on it may find nothing' : ''}.`;
  tell({
    ...where(at),
    rule: is ? 'became-required' : 'became-optional',
    level: (is ? request : response) ? 'breaking' : 'safe',
    message,
    before: was ? 'required' : 'optional',
    after: is ? 'required' : 'optional',
  });
}

type Marks = { readonly readOnly: boolean; readonly writeOnly: boolean };

function compareMarks(was: Marks, is: Marks, at: At, tell: Tell): void {
  const noun = nounOf(at);
  if (was.readOnly !== is.readOnly) {
    const message = is.readOnly
      ? `${noun} is now read only: clients can no longer set it.`
      : `${noun} can now be set by clients.`;
    tell({
      ...where(at),
      rule: is.readOnly ? 'became-read-only' : 'request-property-added',
      level: is.readOnly ? 'decision' : 'safe',
      message,
    });
  }
  if (was.writeOnly !== is.writeOnly) {
    const message = is.writeOnly
      ? `${noun} is no longer in answers: clients that read it find nothing.`
      : `${noun} is now in answers too.`;
    tell({
      ...where(at),
      rule: is.writeOnly ? 'became-write-only' : 'property-added',
      level: is.writeOnly ? 'breaking' : 'safe',
      message,
    });
  }
}

/** Members that the schema does not name. */
function compareOthers(old: Schema, now: Schema, at: At, tell: Tell, compare: Compare): void {
  const [was, is] = [old.additionalProperties ?? true, now.additionalProperties ?? true];
  if (isObject(was) && isObject(is)) {
    const inside = { ...at, path: [...at.path, '*'], place: `${at.place}/additionalProperties` };
    compare(was, is, inside);
    return;
  }
  if (isObject(was) === isObject(is) && was === is) return;
  // `{}` says what `true` says.
  if ([was, is].every((each) => each === true || JSON.stringify(each) === '{}')) return;
  const isNarrower = is === false || was === true;
  const noun = nounOf(at);
  const others =
    is === false
      ? 'no other members'
      : is === true
        ? 'any other members'
        : `other members that are ${schemaText(is)}`;
  const message = `${noun} takes ${others} ${whereText(at.use)}${isNarrower && at.use.request ? ': requests with others are refused' : ''}.`;
  tell({
    ...where(at),
    rule: isNarrower ? 'other-members-narrower' : 'other-members-wider',
    level: isNarrower && at.use.request ? 'breaking' : 'safe',
    message: message.charAt(0).toUpperCase() + message.slice(1),
    before: schemaText(was),
    after: schemaText(is),
  });
}

function useOf(document: Document, schema: unknown, { request, response }: Use): Use {
  const { readOnly, writeOnly } = marksOf(document, schema);
  return { request: request && !readOnly, response: response && !writeOnly };
}

function marksOf(document: Document, schema: unknown): Marks {
  const whole = isObject(schema) ? { ...Object(resolve(document, schema)), ...schema } : {};
  return { readOnly: Object(whole).readOnly === true, writeOnly: Object(whole).writeOnly === true };
}

function isClosed({ additionalProperties, unevaluatedProperties }: Schema): boolean {
  return additionalProperties === false || unevaluatedProperties === false;
}

function where(at: At) {
  return { subject: at.subject, part: partOf(at), place: at.place };
}
