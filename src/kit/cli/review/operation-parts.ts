import {
  type Document,
  isObject,
  type ParameterObject,
  resolve,
} from '../../contract/openapi-document.ts';
import { type Operation, parameterKey } from '../../contract/operation.ts';
import { addressOf, placeOf, subjectOf } from './operation-place.ts';
import { operationName } from './reach.ts';
import { type At, ownerPart, type Tell } from './schema-facts.ts';
import { type Schema, schemaText } from './schema-text.ts';
import { compareWording } from './wording-diff.ts';

export function compareIdentity(old: Operation, now: Operation, tell: Tell): void {
  const at = {
    subject: subjectOf(now),
    owner: `\`${operationName(now)}\``,
    path: [],
    place: placeOf(now),
    use: { request: true, response: false },
  };
  compareWording({ ...old.object }, { ...now.object }, at, tell);
  const [was, is] = [old.object.operationId, now.object.operationId];
  if (was !== is && was !== undefined) {
    const message = `\`${operationName(now)}\` is called \`${is ?? 'nothing'}\` instead of \`${was}\`: code that is made from the contract no longer compiles.`;
    tell({
      subject: at.subject,
      part: 'operationId',
      place: `${at.place}/operationId`,
      rule: 'operation-renamed',
      level: 'breaking',
      message,
      before: was,
      after: is ?? 'none',
    });
  }
  if (old.path === now.path || addressOf(old) !== addressOf(now)) return;
  const message = `The address of \`${operationName(old)}\` is written \`${now.path}\`: only the name of a parameter changed.`;
  tell({
    subject: at.subject,
    part: 'address',
    place: at.place,
    rule: 'path-parameter-renamed',
    level: 'safe',
    message,
    before: old.path,
    after: now.path,
  });
}

export function compareRequired(was: boolean, is: boolean, at: At, tell: Tell): void {
  if (was === is) return;
  const { request } = at.use;
  const isHarmful = is === request;
  const ends = is
    ? request
      ? 'is now required: requests without it are refused'
      : 'is now always there'
    : request
      ? 'is now optional'
      : 'is no longer always there: clients that rely on it may find nothing';
  tell({
    ...where(at, ownerPart(at.owner)),
    rule: is ? 'became-required' : 'became-optional',
    level: isHarmful ? 'breaking' : 'safe',
    message: `${capital(at.owner)} ${ends}.`,
    before: was ? 'required' : 'optional',
    after: is ? 'required' : 'optional',
  });
}

/** A parameter as it is written, and what it refers to. */
export type Found = { readonly written: unknown; readonly object: Schema & ParameterObject };

export function parametersOf(document: Document, { path, object }: Operation): Map<string, Found> {
  const all = [...(Object(document.paths[path]).parameters ?? []), ...(object.parameters ?? [])];
  const names: readonly string[] = path.match(/\{[^}]*\}/g) ?? [];
  return new Map(
    all.map((written): [string, Found] => {
      const parameter = resolve<Found['object']>(document, written);
      // A path parameter is known by its position: its name is never sent.
      const position = names.indexOf(`{${parameter.name}}`);
      const key = parameter.in === 'path' ? `path ${position}` : parameterKey(parameter);
      return [key, { written, object: parameter }];
    }),
  );
}

export function indexOf({ object }: Operation, written: unknown): number {
  const all: readonly unknown[] = object.parameters ?? [];
  return Math.max(0, all.indexOf(written));
}

export function refPlace(written: unknown): string | undefined {
  const { $ref } = Object(written);
  return typeof $ref === 'string' ? $ref : undefined;
}

export function of(document: Document, value: unknown): Schema {
  return isObject(value) ? Object(resolve(document, value)) : {};
}

export function said(document: Document, response: unknown): string {
  return String(of(document, response).description ?? '');
}

/** The schema of a parameter or a header, which may stand below a media type. */
export function schemaIn({ schema, content }: Schema): unknown {
  const [media] = Object.values(Object(content));
  return schema ?? Object(media).schema ?? {};
}

export function parameterText(object: Schema): string {
  return `${schemaText(schemaIn(object))}${object.required === true ? ', required' : ''}`;
}

export function partName({ in: place, name }: Schema): string {
  return place === undefined ? '' : `${place} ${name}`;
}

export function about(operation: Operation, part: string) {
  return { subject: subjectOf(operation), part };
}

export function where(at: At, part: string) {
  return { subject: at.subject, part, place: at.place };
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
