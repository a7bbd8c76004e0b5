import { type At, nounOf, partOf, type Tell } from './schema-facts.ts';
import type { Schema } from './schema-text.ts';

const words = ['title', 'summary', 'description', 'example', 'examples', 'externalDocs'] as const;

/** Tells what only people read, and a deprecation. */
export function compareWording(old: Schema, now: Schema, at: At, tell: Tell): void {
  const where = { subject: at.subject, part: partOf(at), place: at.place };
  const noun = nounOf(at);
  for (const key of words) {
    const [before, after] = [old[key], now[key]];
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    const message = `The ${key} of ${noun} is ${before === undefined ? 'new' : after === undefined ? 'gone' : 'reworded'}.`;
    tell({
      ...where,
      rule: `${key.toLowerCase()}-reworded`,
      level: 'safe',
      isWording: true,
      message,
      before,
      after,
    });
  }
  const [was, is] = [old.deprecated === true, now.deprecated === true];
  if (was === is) return;
  const sunset = typeof now['x-sunset'] === 'string' ? ` It ends on ${now['x-sunset']}.` : '';
  const message = is
    ? `${noun} is deprecated: it still works, and clients should stop using it.${sunset}`
    : `${noun} is no longer deprecated.`;
  tell({
    ...where,
    rule: is ? 'deprecated' : 'deprecation-removed',
    level: 'safe',
    message: message.charAt(0).toUpperCase() + message.slice(1),
  });
}
