import {
  type Document,
  isObject,
  type ParameterObject,
  resolve,
} from '../../contract/openapi-document.ts';
import { type Operation, parameterKey } from '../../contract/operation.ts';
import { pointerPart } from '../contract/schema-nodes.ts';
import type { Level, Subject } from './change.ts';
import { operationName } from './reach.ts';
import type { CompareSchemas, Documents } from './schema-diff.ts';
import { type At, ownerPart, type Tell, type Use } from './schema-facts.ts';
import { refName, type Schema, schemaText } from './schema-text.ts';
import { compareSecurity } from './security-diff.ts';
import { compareWording } from './wording-diff.ts';

const asked: Use = { request: true, response: false };
const answered: Use = { request: false, response: true };

/** Compares two versions of one operation; a shared part that both refer to is compared once. */
export function createOperationComparison(
  documents: Documents,
  compareSchemas: CompareSchemas,
  tell: Tell,
): (old: Operation, now: Operation) => void {
  const done = new Set<string>();

  /** A part in both versions: under the shared part's own name where both refer to it. */
  function compare(
    old: unknown,
    now: unknown,
    at: Omit<At, 'path'>,
    noun: string,
    each: (old: Schema, now: Schema, at: At) => void,
  ): void {
    const { $ref } = Object(now);
    const isShared = typeof $ref === 'string' && Object(old).$ref === $ref;
    if (isShared && done.has($ref)) return;
    if (isShared) done.add($ref);
    const name = refName(now) ?? '';
    const place = isShared
      ? { ...at, subject: { kind: 'type', name } as const, owner: noun, place: $ref }
      : at;
    each(of(documents.before, old), of(documents.after, now), { ...place, path: [] });
  }

  function compareParameters(old: Operation, now: Operation): void {
    const [was, is] = [parametersOf(documents.before, old), parametersOf(documents.after, now)];
    for (const [key, { written, object }] of was) {
      if (is.has(key)) continue;
      const isRefused = object.in === 'query';
      tell({
        ...about(now, partName(object)),
        rule: 'parameter-removed',
        level: isRefused ? 'breaking' : 'decision',
        isGone: true,
        place: refPlace(written) ?? placeOf(old, 'parameters'),
        message: `\`${operationName(now)}\` no longer takes the ${object.in} parameter \`${object.name}\`: clients that send it ${isRefused ? 'may be refused or get another answer' : 'are not heard'}.`,
        before: parameterText(object),
        after: 'gone',
      });
    }
    for (const [key, { written, object }] of is) {
      const earlier = was.get(key);
      const noun = `the ${object.in} parameter \`${object.name}\``;
      if (!earlier) {
        const isNeeded = object.required === true;
        const message = isNeeded
          ? `\`${operationName(now)}\` needs the new ${object.in} parameter \`${object.name}\`: requests without it are refused.`
          : `\`${operationName(now)}\` takes the new ${object.in} parameter \`${object.name}\`.`;
        const level = isNeeded ? 'breaking' : 'safe';
        const place = refPlace(written) ?? placeOf(now, 'parameters');
        tell({
          ...about(now, partName(object)),
          rule: 'parameter-added',
          level,
          message,
          place,
          before: 'not there',
          after: parameterText(object),
        });
        continue;
      }
      const at = {
        subject: subjectOf(now),
        owner: `${noun} of \`${operationName(now)}\``,
        place: placeOf(now, 'parameters', String(indexOf(now, written))),
        use: asked,
      };
      compare(earlier.written, written, at, noun, (a, b, place) => compareParameter(a, b, place));
    }
  }

  function compareParameter(old: Schema, now: Schema, at: At): void {
    compareRequired(old.required === true, now.required === true, at, tell);
    compareWording(old, now, at, tell);
    for (const key of ['style', 'explode', 'allowReserved', 'allowEmptyValue'] as const) {
      if (old[key] === now[key]) continue;
      const message = `${capital(at.owner)} is written in another way in addresses and headers (\`${key}\` is ${now[key] ?? 'as usual'}, was ${old[key] ?? 'as usual'}): requests written in the old way are refused.`;
      tell({
        ...where(at, partName(now)),
        rule: `parameter-${key.toLowerCase()}-changed`,
        level: 'breaking',
        message,
        before: String(old[key] ?? ''),
        after: String(now[key] ?? ''),
      });
    }
    const [a, b] = [schemaIn(old), schemaIn(now)];
    compareSchemas(a, b, { ...at, isText: true, path: [], place: `${at.place}/schema` });
  }

  function compareBody(old: Operation, now: Operation): void {
    const [was, is] = [old.object.requestBody, now.object.requestBody];
    const name = operationName(now);
    const place = placeOf(now, 'requestBody');
    const part = { subject: subjectOf(now), part: 'body', place };
    if (!was && is) {
      const isNeeded = of(documents.after, is).required === true;
      const message = `\`${name}\` now takes a body${isNeeded ? ' and needs it: requests without one are refused' : ''}.`;
      tell({ ...part, rule: 'request-body-added', level: isNeeded ? 'breaking' : 'safe', message });
    }
    if (was && !is) {
      const message = `\`${name}\` no longer takes a body: what clients send in it is lost.`;
      tell({
        ...part,
        rule: 'request-body-removed',
        level: 'breaking',
        message,
        place: placeOf(old, 'requestBody'),
        isGone: true,
      });
    }
    if (!was || !is) return;
    const at = { subject: subjectOf(now), owner: `the body of \`${name}\``, place, use: asked };
    compare(was, is, at, `the body \`${refName(is)}\``, (a, b, at) => {
      compareRequired(a.required === true, b.required === true, at, tell);
      compareWording(a, b, at, tell);
      compareContent(a, b, at, 'request');
    });
  }

  function compareContent(old: Schema, now: Schema, at: At, side: 'request' | 'response'): void {
    const [was, is] = [Object(old.content), Object(now.content)];
    const part = at.subject.kind === 'operation' ? ownerPart(at.owner) : '';
    for (const type of Object.keys(was)) {
      if (Object.hasOwn(is, type)) continue;
      const message =
        side === 'request'
          ? `${capital(at.owner)} is no longer taken as \`${type}\`: requests in it are refused.`
          : `${capital(at.owner)} is no longer given as \`${type}\`: clients that read it fail.`;
      tell({
        ...where(at, part),
        rule: `${side}-media-type-removed`,
        level: 'breaking',
        message,
        isGone: true,
        before: type,
        after: 'gone',
      });
    }
    for (const type of Object.keys(is)) {
      const place = `${at.place}/content/${pointerPart(type)}`;
      if (!Object.hasOwn(was, type)) {
        const message = `${capital(at.owner)} may now be \`${type}\` too.`;
        tell({
          ...where(at, part),
          place,
          rule: `${side}-media-type-added`,
          level: 'safe',
          message,
          before: 'not there',
          after: type,
        });
        continue;
      }
      const [a, b] = [Object(was[type]), Object(is[type])];
      compareWording(
        { example: a.example, examples: a.examples },
        { example: b.example, examples: b.examples },
        { ...at, place },
        tell,
      );
      compareSchemas(a.schema, b.schema, { ...at, place: `${place}/schema` });
    }
  }

  function compareResponses(old: Operation, now: Operation): void {
    const [was, is] = [Object(old.object.responses), Object(now.object.responses)];
    const name = operationName(now);
    for (const status of Object.keys({ ...was, ...is })) {
      const place = placeOf(now, 'responses', status);
      const part = { subject: subjectOf(now), part: `answer ${status}`, place };
      const isSuccess = /^[123]/.test(status);
      if (!Object.hasOwn(is, status)) {
        const message = `\`${name}\` no longer answers ${status}${isSuccess ? ': clients that wait for it fail' : ': clients that handle it get another answer'}.`;
        tell({
          ...part,
          rule: 'response-status-removed',
          level: 'breaking',
          message,
          isGone: true,
          before: said(documents.before, was[status]),
          after: 'gone',
        });
      } else if (!Object.hasOwn(was, status)) {
        const message = isSuccess
          ? `\`${name}\` may now answer ${status}: clients that expect only the statuses before may miss it.`
          : `\`${name}\` may now refuse with ${status}.`;
        tell({
          ...part,
          rule: 'response-status-added',
          level: isSuccess ? 'decision' : 'safe',
          message,
          before: 'not there',
          after: said(documents.after, is[status]),
        });
      } else {
        const at = {
          subject: subjectOf(now),
          owner: `the answer ${status} of \`${name}\``,
          place,
          use: answered,
        };
        compare(
          was[status],
          is[status],
          at,
          `the answer \`${refName(is[status])}\``,
          (a, b, at) => {
            compareWording(a, b, at, tell);
            compareHeaders(a, b, at);
            compareContent(a, b, at, 'response');
          },
        );
      }
    }
  }

  function compareHeaders(old: Schema, now: Schema, at: At): void {
    const [was, is] = [Object(old.headers), Object(now.headers)];
    for (const name of Object.keys({ ...was, ...is })) {
      const place = `${at.place}/headers/${pointerPart(name)}`;
      const [a, b] = [of(documents.before, was[name]), of(documents.after, is[name])];
      const about = { ...where(at, `${ownerPart(at.owner)} header ${name}`), place };
      if (is[name] === undefined) {
        const level: Level = a.required === true ? 'breaking' : 'decision';
        const message = `${capital(at.owner)} no longer has the header \`${name}\`: clients that read it find nothing.`;
        tell({
          ...about,
          rule: 'header-removed',
          level,
          message,
          isGone: true,
          before: schemaText(schemaIn(a)),
          after: 'gone',
        });
      } else if (was[name] === undefined) {
        const message = `${capital(at.owner)} has the new header \`${name}\`.`;
        tell({
          ...about,
          rule: 'header-added',
          level: 'safe',
          message,
          before: 'not there',
          after: schemaText(schemaIn(b)),
        });
      } else {
        const noun = `the header \`${name}\``;
        const inside = {
          subject: at.subject,
          owner: `${noun} of ${at.owner}`,
          place,
          use: answered,
        };
        compare(was[name], is[name], inside, noun, (x, y, at) => {
          compareRequired(x.required === true, y.required === true, at, tell);
          compareWording(x, y, at, tell);
          compareSchemas(schemaIn(x), schemaIn(y), { ...at, place: `${at.place}/schema` });
        });
      }
    }
  }

  return (old, now) => {
    compareIdentity(old, now, tell);
    compareSecurity(documents, old, now, tell);
    compareParameters(old, now);
    compareBody(old, now);
    compareResponses(old, now);
  };
}

export function subjectOf(operation: Operation): Subject {
  return { kind: 'operation', name: operationName(operation) };
}

/** An address without the names of its parameters, which are never sent. */
export function addressOf({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

export function placeOf({ path, method }: Operation, ...parts: readonly string[]): string {
  return ['#/paths', path, method.toLowerCase(), ...parts]
    .map((part, i) => (i === 0 ? part : pointerPart(part)))
    .join('/');
}

function compareIdentity(old: Operation, now: Operation, tell: Tell): void {
  const at = {
    subject: subjectOf(now),
    owner: `\`${operationName(now)}\``,
    path: [],
    place: placeOf(now),
    use: asked,
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

function compareRequired(was: boolean, is: boolean, at: At, tell: Tell): void {
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

type Found = { readonly written: unknown; readonly object: Schema & ParameterObject };

function parametersOf(document: Document, { path, object }: Operation): Map<string, Found> {
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

function indexOf({ object }: Operation, written: unknown): number {
  const all: readonly unknown[] = object.parameters ?? [];
  return Math.max(0, all.indexOf(written));
}

function refPlace(written: unknown): string | undefined {
  const { $ref } = Object(written);
  return typeof $ref === 'string' ? $ref : undefined;
}

function of(document: Document, value: unknown): Schema {
  return isObject(value) ? Object(resolve(document, value)) : {};
}

function said(document: Document, response: unknown): string {
  return String(of(document, response).description ?? '');
}

/** The schema of a parameter or a header, which may stand below a media type. */
export function schemaIn({ schema, content }: Schema): unknown {
  const [media] = Object.values(Object(content));
  return schema ?? Object(media).schema ?? {};
}

function parameterText(object: Schema): string {
  return `${schemaText(schemaIn(object))}${object.required === true ? ', required' : ''}`;
}

function partName({ in: place, name }: Schema): string {
  return place === undefined ? '' : `${place} ${name}`;
}

function about(operation: Operation, part: string) {
  return { subject: subjectOf(operation), part };
}

function where(at: At, part: string) {
  return { subject: at.subject, part, place: at.place };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
