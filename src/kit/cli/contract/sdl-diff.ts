import { CriticalityLevel, type Change as Difference, diff } from '@graphql-inspector/core';
import { type GraphQLSchema, isObjectType } from 'graphql';
import { boundsOf } from './argument-bounds.ts';
import type { Change, Level } from './change.ts';

/** Every difference between two GraphQL schemas. */
export async function sdlChanges(from: GraphQLSchema, to: GraphQLSchema): Promise<Change[]> {
  const differences = await diff(from, to);
  return [...differences.filter(isTold).map(changeOf), ...boundsChanges(from, to)];
}

// What @bounds admits is judged on its own, and a deprecation is told as one already.
function isTold({ path, type }: Difference): boolean {
  if (path?.includes('.@bounds')) return false;
  return !(path?.includes('.@deprecated') && type.startsWith('DIRECTIVE_USAGE'));
}

const levels: Readonly<Record<string, Level>> = {
  [CriticalityLevel.Breaking]: 'breaking',
  [CriticalityLevel.Dangerous]: 'dangerous',
  [CriticalityLevel.NonBreaking]: 'safe',
};

function changeOf({ criticality, type, message, path, meta }: Difference): Change {
  const isWording = /DESCRIPTION|DEPRECATION_REASON/.test(type);
  return {
    contract: 'GraphQL',
    level: isWording ? 'safe' : (levels[criticality.level] ?? 'breaking'),
    isWording,
    message: `${message}.`.replace(/\.\.$/, '.'),
    place: path ?? 'schema',
    ...sides(meta),
  };
}

/** The inspector keeps what was and what is under names of its own for each kind of change. */
function sides(meta: object): { before?: string; after?: string } {
  const found = (prefix: string) =>
    Object.entries(meta).find(
      ([key, value]) => key.startsWith(prefix) && typeof value === 'string',
    );
  const [before, after] = [found('old')?.[1], found('new')?.[1]];
  return { ...(before && { before }), ...(after && { after }) };
}

function boundsChanges(from: GraphQLSchema, to: GraphQLSchema): Change[] {
  const after = new Map(argumentsOf(to));
  return argumentsOf(from).flatMap(([place, old]): Change[] => {
    const now = after.get(place);
    if (now === undefined || now.text === old.text) return [];
    const isTighter =
      now.minLength > old.minLength ||
      now.maxLength < old.maxLength ||
      (now.format !== undefined && now.format !== old.format);
    return [
      {
        contract: 'GraphQL',
        level: isTighter ? 'breaking' : 'dangerous',
        isWording: false,
        message: `What '${place}' takes is ${isTighter ? 'narrower' : 'wider'} than it was.`,
        place,
        before: old.text || 'any text',
        after: now.text || 'any text',
      },
    ];
  });
}

function argumentsOf(schema: GraphQLSchema) {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .flatMap(({ type, field }) =>
      field.args.map((arg) => [`${type.name}.${field.name}.${arg.name}`, boundsOf(arg)] as const),
    );
}
