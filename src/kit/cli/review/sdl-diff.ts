import { CriticalityLevel, type Change as Difference, diff } from '@graphql-inspector/core';
import type { GraphQLSchema } from 'graphql';
import { type Change, type Level, readersOf, type Subject } from './change.ts';
import { boundsFacts } from './sdl-bounds-diff.ts';
import { createSentence } from './sdl-sentence.ts';

/** Every difference between two GraphQL schemas. */
export async function sdlChanges(from: GraphQLSchema, to: GraphQLSchema): Promise<Change[]> {
  const sentence = createSentence(from, to);
  const all = await diff(from, to);
  // What is new brings its words with it.
  const added = new Set(all.filter(({ type }) => isAddition(type)).map(({ path }) => path));
  const differences = all.filter(
    (each) =>
      isTold(each) &&
      !(/DESCRIPTION_(ADDED|CHANGED)$/.test(each.type) && added.has(each.path)) &&
      !(each.type === 'FIELD_ADDED' && added.has(each.path?.split('.')[0])),
  );
  return [
    ...differences.map((each): Change => {
      const { type, path = 'schema', meta, criticality } = each;
      const isWording = /DESCRIPTION|DEPRECATION_REASON_(CHANGED|REMOVED)/.test(type);
      const said = isWording
        ? { level: undefined, message: `The words on \`${path}\` changed.` }
        : sentence(type, Object(meta), each.message);
      const level = isWording ? 'safe' : (said.level ?? levelOf(criticality.level));
      const rule = type.toLowerCase().replaceAll('_', '-');
      return {
        contract: 'GraphQL',
        ...{ rule, level, isWording, message: said.message, place: path },
        isGone: /REMOVED$/.test(type) && !/DESCRIPTION|DEPRECATION/.test(type),
        ...subjectOf(path, from, to),
        ...sides(meta),
        isLooser: false,
        readers: readersOf({ rule, level, isWording, isLooser: false }),
      };
    }),
    ...boundsFacts(from, to).map(
      ({ rule, level, place, isLooser, ...fact }): Change => ({
        contract: 'GraphQL',
        ...{ rule, level, place, isLooser, isWording: false, isGone: false },
        ...fact,
        ...subjectOf(place, from, to),
        readers: readersOf({ rule, level, isLooser, isWording: false }),
      }),
    ),
  ];
}

/** What @bounds admits is judged on its own, a deprecation is told once, and parts of what is new with it. */
function isTold({ path = '', type, meta }: Difference): boolean {
  const { addedToNewType, addedToNewField, addedToNewDirective } = Object(meta);
  if (addedToNewType || addedToNewField || addedToNewDirective || path.includes('.@bounds')) {
    return false;
  }
  if (/^FIELD_DEPRECATION_REASON_(ADDED|REMOVED)$/.test(type)) return false;
  return !(path.includes('.@deprecated') && type.startsWith('DIRECTIVE_USAGE'));
}

function isAddition(type: string): boolean {
  return /ADDED$/.test(type) && !/DESCRIPTION|DEPRECATION|DIRECTIVE_USAGE/.test(type);
}

function levelOf(level: CriticalityLevel): Level {
  if (level === CriticalityLevel.NonBreaking) return 'safe';
  return level === CriticalityLevel.Dangerous ? 'decision' : 'breaking';
}

/** The fields of the roots are the operations of GraphQL; all else belongs to its type. */
export function subjectOf(
  place: string,
  ...schemas: readonly GraphQLSchema[]
): { readonly subject: Subject; readonly part: string } {
  const [name = '', field, ...rest] = place.split('.');
  const roots = schemas.flatMap((each) => [
    each.getQueryType()?.name,
    each.getMutationType()?.name,
    each.getSubscriptionType()?.name,
  ]);
  // A directive on the schema itself has no name before it.
  if (place === 'schema' || name === '' || name.startsWith('@')) {
    return { subject: { kind: 'api', name: 'the schema' }, part: place };
  }
  if (field && roots.includes(name)) {
    return { subject: { kind: 'operation', name: `${name}.${field}` }, part: rest.join('.') };
  }
  return { subject: { kind: 'type', name }, part: [field ?? [], rest].flat().join('.') };
}

/** The inspector keeps what was and what is under names of its own for each kind of change. */
function sides(meta: object): { before?: string; after?: string } {
  const found = (prefix: string) =>
    Object.entries(meta).find(
      ([key, value]) => key.startsWith(prefix) && typeof value === 'string',
    )?.[1];
  const [before, after] = [found('old'), found('new')];
  return { ...(before && { before }), ...(after && { after }) };
}
