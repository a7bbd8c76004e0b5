import { ownMembers } from '../../contract/inherited-names.ts';
import type { Operation } from '../../contract/operation.ts';
import { pointerPart } from '../contract/schema-nodes.ts';
import type { Level } from './change.ts';
import {
  about,
  capital,
  compareIdentity,
  compareRequired,
  indexOf,
  of,
  parametersOf,
  parameterText,
  partName,
  refPlace,
  said,
  schemaIn,
  where,
} from './operation-parts.ts';
import { placeOf, subjectOf } from './operation-place.ts';
import { compareCallbacks, compareLinks } from './outgoing-diff.ts';
import { operationName } from './reach.ts';
import type { CompareSchemas } from './schema-diff.ts';
import { type At, type Documents, ownerPart, type Tell, type Use } from './schema-facts.ts';
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
            compareLinks(documents, [a.links, b.links], at, tell);
          },
        );
      }
    }
  }

  function compareHeaders(old: Schema, now: Schema, at: At): void {
    const [was, is] = [ownMembers(old.headers), ownMembers(now.headers)];
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
    compareCallbacks(documents, old, now, tell);
  };
}
