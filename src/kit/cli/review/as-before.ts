import type { Change } from './change.ts';
import type { Sides } from './sides.ts';

const gone = /-(removed|moved|renamed)$/;
// What is new loosens nothing that was there; of any other change that breaks nobody that is not known.
const news =
  /^(operation|parameter|property|request-property|field|field-argument|input-field|type|header|response-status)-added$/;

/** What readers ask for that did not change, in sentences. */
export function asBefore(changes: readonly Change[], { documents, schemas }: Sides): string[] {
  const real = changes.filter(({ isWording }) => !isWording);
  if (real.length === 0) return [];
  const has = (pattern: RegExp) => real.some(({ rule }) => pattern.test(rule));
  const isRest = documents.before !== undefined && documents.after !== undefined;
  const isGraphql = schemas.before !== undefined && schemas.after !== undefined;
  return [
    ...(isRest && isGraphql
      ? [...protocolText('REST', 'OpenAPI', real), ...protocolText('GraphQL', 'GraphQL', real)]
      : []),
    ...(has(gone) ? [] : ['No operation, field or parameter is gone or has another name.']),
    ...(isRest && !has(/^security/)
      ? ['Operations that existed ask for the same credentials.']
      : []),
    ...(real.every(({ rule, level }) => level === 'breaking' || news.test(rule))
      ? ['No limit on what clients send is looser.']
      : []),
  ];
}

function protocolText(
  name: string,
  contract: Change['contract'],
  changes: readonly Change[],
): string[] {
  const own = changes.filter((change) => change.contract === contract);
  if (own.length === 0) return [`${name} is the same.`];
  return own.every(({ level }) => level === 'safe') && own.length < changes.length
    ? [`Clients of ${name} keep working as they are.`]
    : [];
}
