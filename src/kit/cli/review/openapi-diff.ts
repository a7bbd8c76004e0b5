import { toDialect } from '../../contract/dialect.ts';
import { ownMembers } from '../../contract/inherited-names.ts';
import type { Document } from '../../contract/openapi-document.ts';
import { type Operation, operationsOf } from '../../contract/operation.ts';
import { canonical } from '../contract/canonical.ts';
import { admitSameTexts } from '../contract/same-pattern.ts';
import { pointerPart } from '../contract/schema-nodes.ts';
import { compareWhole } from './api-diff.ts';
import { type Change, readersOf } from './change.ts';
import { createOperationComparison } from './operation-diff.ts';
import { addressOf, placeOf, subjectOf } from './operation-place.ts';
import { compareWebhooks } from './outgoing-diff.ts';
import { createReach, operationName } from './reach.ts';
import { createSchemaComparison } from './schema-diff.ts';
import type { Documents, Fact, Tell } from './schema-facts.ts';

/** The document in the one form in which two are compared. */
export function comparable(document: Document): Document {
  // A description that is valid has this shape, which the dialect keeps.
  return toDialect(Object(canonical(document))) as unknown as Document;
}

/** Every difference between two OpenAPI documents in their comparable form. */
export function openapiChanges(documents: Documents): Change[] {
  const changes = new Map<string, Change>();
  const tell: Tell = (fact) => {
    const change = changeOf(fact);
    changes.set(`${change.place} ${change.rule} ${change.message}`, change);
  };
  const compareSchemas = createSchemaComparison(documents, admitSameTexts, tell);
  const compareOperations = createOperationComparison(documents, compareSchemas, tell);
  for (const [old, now] of pairs(documents, tell)) compareOperations(old, now);
  compareComponents(documents, compareSchemas, tell);
  compareWhole(documents, tell);
  compareWebhooks(documents, tell);
  return [...changes.values()];
}

function changeOf({ before, after, ...fact }: Fact): Change {
  const { rule, level, isWording = false, isGone = false, isLooser = false } = fact;
  return {
    contract: 'OpenAPI',
    ...fact,
    isWording,
    isGone,
    isLooser,
    readers: readersOf({ rule, level, isWording, isLooser }),
    ...(before !== undefined && { before: shown(before) }),
    ...(after !== undefined && { after: shown(after) }),
  };
}

/** The operations that both documents have; the others are told. */
function pairs({ before, after }: Documents, tell: Tell): [Operation, Operation][] {
  const [was, is] = [before, after].map(
    (each) => new Map(operationsOf(each).map((one) => [addressOf(one), one])),
  );
  const added = [...(is ?? [])].filter(([name]) => !was?.has(name)).map(([, each]) => each);
  const moved = new Set<Operation>();
  const found: [Operation, Operation][] = [];
  for (const [name, old] of was ?? []) {
    const now = is?.get(name);
    if (now) {
      found.push([old, now]);
      continue;
    }
    const id = old.object.operationId;
    const other = added.find((each) => id !== undefined && each.object.operationId === id);
    if (other) moved.add(other);
    tell(other ? movedFact(old, other) : goneFact(old));
    if (other) found.push([old, other]);
  }
  for (const each of added) if (!moved.has(each)) tell(newFact(each));
  return found;
}

function about({ object }: Operation): string {
  return object.summary ? ` (${object.summary.replace(/\.$/, '')})` : '';
}

function newFact(operation: Operation): Fact {
  const message = `\`${operationName(operation)}\`${about(operation)} is new.`;
  return {
    subject: subjectOf(operation),
    part: '',
    place: placeOf(operation),
    rule: 'operation-added',
    level: 'safe',
    message,
  };
}

function goneFact(old: Operation): Fact {
  const { deprecated, sunset } = old;
  const isAnnounced = deprecated && sunset !== undefined && sunset <= new Date().toISOString();
  const why = isAnnounced ? ` It was deprecated, and its end announced for ${sunset}.` : '';
  return {
    ...{
      subject: subjectOf(old),
      part: '',
      place: placeOf(old),
      isGone: true,
      rule: 'operation-removed',
    },
    level: isAnnounced ? 'decision' : 'breaking',
    message: `\`${operationName(old)}\`${about(old)} is gone: clients that call it fail.${why}`,
  };
}

function movedFact(old: Operation, now: Operation): Fact {
  const [before, after] = [operationName(old), operationName(now)];
  const message = `\`${before}\` is now \`${after}\`: clients that call the old address fail.`;
  return {
    subject: subjectOf(now),
    part: 'address',
    place: placeOf(now),
    rule: 'operation-moved',
    level: 'breaking',
    message,
    before,
    after,
  };
}

function compareComponents(
  { before, after }: Documents,
  compareSchemas: ReturnType<typeof createSchemaComparison>,
  tell: Tell,
): void {
  const reach = createReach(before, after);
  const was = ownMembers(before.components?.schemas);
  const is = ownMembers(after.components?.schemas);
  for (const name of Object.keys({ ...was, ...is })) {
    const place = `#/components/schemas/${pointerPart(name)}`;
    const { request, response } = reach(place);
    const use = { request: request.size > 0, response: response.size > 0 };
    const subject = { kind: 'type', name } as const;
    const at = { subject, owner: `\`${name}\``, path: [], place, use };
    if (was[name] === undefined) {
      tell({
        subject,
        part: '',
        place,
        rule: 'type-added',
        level: 'safe',
        message: `The type \`${name}\` is new.`,
      });
    } else if (is[name] === undefined) {
      // What used it is told where it was used.
      tell({
        subject,
        part: '',
        place,
        isGone: true,
        rule: 'type-removed',
        level: 'safe',
        message: `The type \`${name}\` is gone from the contract.`,
      });
    } else compareSchemas(was[name], is[name], at);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing');
}
