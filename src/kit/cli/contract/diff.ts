import { type Change, type Verdict, verdictOn } from './change.ts';
import { type Contracts, documentOf, schemaOf } from './contract-texts.ts';
import { openapiChanges } from './openapi-diff.ts';
import { sdlChanges } from './sdl-diff.ts';

export type Diff = {
  readonly from: string;
  readonly to: string;
  readonly verdict: Verdict;
  /** The gravest first. */
  readonly changes: readonly Change[];
};

const order = ['breaking', 'dangerous', 'safe'];

/** Every change in both contracts, and the one verdict on them. */
export async function diffContracts(before: Contracts, after: Contracts): Promise<Diff> {
  const changes = [
    ...restChanges(before, after),
    ...(await graphqlChanges(before, after)),
  ].toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  const [from, to] = [before, after].map((each) => Object(documentOf(each)?.info).version ?? '');
  return {
    from: before.name,
    to: after.name,
    verdict: verdictOn(changes, String(from), String(to)),
    changes,
  };
}

function restChanges(before: Contracts, after: Contracts): Change[] {
  const [from, to] = [before, after].map(({ openapi, bundle }) => bundle ?? openapi);
  if (!from || !to) return wholeChange('OpenAPI', from, to);
  return openapiChanges(from, to);
}

async function graphqlChanges(before: Contracts, after: Contracts): Promise<Change[]> {
  if (before.sdl === after.sdl) return [];
  const [from, to] = [schemaOf(before), schemaOf(after)];
  return from && to ? sdlChanges(from, to) : wholeChange('GraphQL', before.sdl, after.sdl);
}

/** A contract that came or went as a whole. */
function wholeChange(contract: Change['contract'], from = '', to = ''): Change[] {
  if (from === to) return [];
  const message = from ? 'The whole contract is gone.' : 'The whole contract is new.';
  return [{ contract, level: from ? 'breaking' : 'safe', isWording: false, message, place: '#' }];
}

/** Whether a client may break without having been told by the version. */
export function isRefused({ verdict }: Diff): boolean {
  return verdict.asks === 'major' && !verdict.isMet;
}
