import { ownMembers } from '../../contract/inherited-names.ts';
import type { Document } from '../../contract/openapi-document.ts';
import type { Operation } from '../../contract/operation.ts';
import { pointerPart } from '../contract/schema-nodes.ts';
import type { Level } from './change.ts';
import { capital } from './operation-parts.ts';
import { placeOf, subjectOf } from './operation-place.ts';
import { operationName } from './reach.ts';
import { type At, type Documents, type Fact, ownerPart, type Tell } from './schema-facts.ts';
import { wholeText } from './whole-text.ts';

/** What has names in both documents. */
type Both = readonly [old: unknown, now: unknown];
type Words = {
  readonly kind: 'webhook' | 'callback' | 'link';
  readonly removed: Level;
  /** A name as it stands in a sentence. */
  noun(name: string): string;
  /** What its end does to others. */
  readonly end: string;
  changed(noun: string): string;
};

const forReceivers = {
  removed: 'breaking',
  end: 'receivers that wait for it are told nothing',
  changed: (noun: string) =>
    `What ${noun} sends or expects changed: whether a receiver breaks depends on what it reads.`,
} as const;

/** What the API sends by itself. */
export function compareWebhooks(documents: Documents, tell: Tell): void {
  const noun = (name: string) => `the webhook \`${name}\``;
  const words = { ...forReceivers, kind: 'webhook', noun } as const;
  const { before, after } = documents;
  compareWholes(documents, [before.webhooks, after.webhooks], words, (name, fact) =>
    tell({
      ...fact,
      subject: { kind: 'operation', name: `webhook ${name}` },
      part: '',
      place: `#/webhooks/${pointerPart(name)}`,
    }),
  );
}

/** What an operation makes the API send to its caller. */
export function compareCallbacks(
  documents: Documents,
  old: Operation,
  now: Operation,
  tell: Tell,
): void {
  const noun = (name: string) => `the callback \`${name}\` of \`${operationName(now)}\``;
  const words = { ...forReceivers, kind: 'callback', noun } as const;
  const [was, is] = [Object(old.object).callbacks, Object(now.object).callbacks];
  compareWholes(documents, [was, is], words, (name, fact) =>
    tell({
      ...fact,
      subject: subjectOf(now),
      part: `callback ${name}`,
      place: placeOf(fact.isGone ? old : now, 'callbacks', name),
    }),
  );
}

/** Where an answer says that its reader can go on. */
export function compareLinks(documents: Documents, links: Both, at: At, tell: Tell): void {
  const words: Words = {
    kind: 'link',
    removed: 'decision',
    noun: (name) => `the link \`${name}\` of ${at.owner}`,
    end: 'clients that follow it stop there',
    changed: (noun) =>
      `${capital(noun)} changed: clients that follow it may ask for something else.`,
  };
  compareWholes(documents, links, words, (name, fact) =>
    tell({
      ...fact,
      subject: at.subject,
      part: `${ownerPart(at.owner)} link ${name}`,
      place: `${at.place}/links/${pointerPart(name)}`,
    }),
  );
}

/** Each is told as a whole: what its parts mean to others depends on what they read. */
function compareWholes(
  { before, after }: Documents,
  both: Both,
  { kind, noun, removed, end, changed }: Words,
  tell: (name: string, fact: Omit<Fact, 'subject' | 'part' | 'place'>) => void,
): void {
  const [old, now] = [ownMembers(both[0]), ownMembers(both[1])];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [a, b] = [textIn(before, old[name]), textIn(after, now[name])];
    if (a === b) continue;
    if (a === undefined) {
      tell(name, {
        rule: `${kind}-added`,
        level: 'safe',
        message: `${capital(noun(name))} is new.`,
      });
    } else if (b === undefined) {
      const message = `${capital(noun(name))} is gone: ${end}.`;
      tell(name, { rule: `${kind}-removed`, level: removed, isGone: true, message });
    } else {
      tell(name, { rule: `${kind}-changed`, level: 'decision', message: changed(noun(name)) });
    }
  }
}

function textIn(document: Document, value: unknown): string | undefined {
  return value === undefined ? undefined : wholeText(document, value);
}
