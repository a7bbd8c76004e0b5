import { type Contracts, documentOf, schemaOf } from '../contract/contract-texts.ts';
import { type Change, gravest, type Level, levels } from './change.ts';
import { comparable, openapiChanges } from './openapi-diff.ts';
import { sdlChanges } from './sdl-diff.ts';
import { type Version, versionOf } from './version.ts';

export type Diff = {
  readonly from: string;
  readonly to: string;
  readonly level: Level;
  readonly version: Version;
  /** The gravest first. */
  readonly changes: readonly Change[];
};

/** Every change in both contracts, and what it asks of the version. */
export async function diffContracts(before: Contracts, after: Contracts): Promise<Diff> {
  const changes = await contractChanges(before, after);
  return {
    from: before.name,
    to: after.name,
    level: gravest(changes.map(({ level }) => level)),
    version: versionOf(changes, versionIn(before), versionIn(after)),
    changes,
  };
}

/** The version of a REST description, which is that of both contracts. */
export function versionIn(contracts: Contracts): string {
  return String(Object(documentOf(contracts)?.info).version ?? '');
}

export async function contractChanges(before: Contracts, after: Contracts): Promise<Change[]> {
  const changes = [...restChanges(before, after), ...(await graphqlChanges(before, after))];
  return changes.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
}

function restChanges(before: Contracts, after: Contracts): Change[] {
  const [from, to] = [before, after].map(({ openapi, bundle }) => bundle ?? openapi);
  if (from === to) return [];
  const [old, now] = [documentOf(before), documentOf(after)];
  if (!old || !now) return wholeChange('OpenAPI', old === undefined);
  return openapiChanges({ before: comparable(old), after: comparable(now) });
}

async function graphqlChanges(before: Contracts, after: Contracts): Promise<Change[]> {
  if (before.sdl === after.sdl) return [];
  const [from, to] = [schemaOf(before), schemaOf(after)];
  return from && to ? sdlChanges(from, to) : wholeChange('GraphQL', from === undefined);
}

/** A contract that came or went as a whole. */
function wholeChange(contract: Change['contract'], isNew: boolean): Change[] {
  return [
    {
      ...{ contract, isWording: false, part: '', place: '#', isGone: !isNew, isLooser: false },
      rule: isNew ? 'contract-added' : 'contract-removed',
      level: isNew ? 'safe' : 'breaking',
      subject: { kind: 'api', name: contract },
      message: isNew
        ? `The whole ${contract} contract is new.`
        : `The whole ${contract} contract is gone: every client of it fails.`,
      readers: ['product', 'client', 'architect', 'security'],
    },
  ];
}
