import type { Operation, SecurityRequirement } from '../../contract/operation.ts';
import { placeOf, subjectOf } from './operation-place.ts';
import { operationName } from './reach.ts';
import type { Documents, Tell } from './schema-facts.ts';

/** Compares who may call an operation. */
export function compareSecurity(
  documents: Documents,
  old: Operation,
  now: Operation,
  tell: Tell,
): void {
  const [was, is] = [old, now].map(({ security }) => alternativesOf(security));
  if (!was || !is || was.join('|') === is.join('|')) return;
  const name = operationName(now);
  const isOwn = now.object.security !== undefined;
  const at = {
    subject: subjectOf(now),
    part: 'security',
    place: isOwn
      ? placeOf(now, 'security')
      : documents.after.security
        ? '#/security'
        : placeOf(now),
    before: textOf(was),
    after: textOf(is),
  };
  const [wasOpen, isOpen] = [was.includes(''), is.includes('')];
  if (isOpen && !wasOpen) {
    const message = `\`${name}\` no longer needs credentials: everybody may call it.`;
    tell({ ...at, rule: 'security-opened', level: 'decision', message });
    return;
  }
  const gone = was.filter((each) => !is.includes(each) && !isWeaker(each, is));
  if (wasOpen && !isOpen) {
    const message = `\`${name}\` needs credentials now (${textOf(is)}): calls without them are refused.`;
    tell({ ...at, rule: 'security-added', level: 'breaking', message });
  } else if (gone.length > 0) {
    const message = `\`${name}\` no longer admits ${textOf(gone)}; it now admits ${textOf(is)}. Clients with the old credentials are refused.`;
    tell({ ...at, rule: 'security-changed', level: 'breaking', message });
  } else {
    const message = `\`${name}\` now also admits ${textOf(is.filter((each) => !was.includes(each)))}.`;
    tell({ ...at, rule: 'security-alternative-added', level: 'safe', message });
  }
}

/** Each alternative as `scheme(scope scope) and scheme`, in order; empty for no credentials. */
function alternativesOf(security: readonly SecurityRequirement[]): string[] {
  const all = security.map((each) =>
    Object.entries(each)
      .map(([scheme, scopes = []]) =>
        scopes.length > 0 ? `${scheme}(${scopes.toSorted().join(' ')})` : scheme,
      )
      .toSorted()
      .join(' and '),
  );
  return all.length === 0 ? [''] : [...new Set(all)].toSorted();
}

/** Whether what was needed suffices still: the same scheme with fewer scopes. */
function isWeaker(old: string, now: readonly string[]): boolean {
  const [scheme, scopes] = parts(old);
  return now.some((each) => {
    const [other, needed] = parts(each);
    return other === scheme && needed.every((scope) => scopes.includes(scope));
  });
}

function parts(text: string): [string, string[]] {
  const at = text.indexOf('(');
  if (at < 0 || text.includes(' and ')) return [text, []];
  return [text.slice(0, at), text.slice(at + 1, -1).split(' ')];
}

function textOf(all: readonly string[]): string {
  return all.map((each) => (each === '' ? 'no credentials' : `\`${each}\``)).join(' or ');
}
