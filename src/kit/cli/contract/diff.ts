import { type Change, type Verdict, verdictOn } from './change.ts';
import { type Contracts, documentOf } from './contracts.ts';
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
    ...openapiChanges(before.openapi, after.openapi),
    ...(await sdlChanges(before.sdl, after.sdl)),
  ].toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  const [from, to] = [before, after].map((each) => documentOf(each).info.version);
  return {
    from: before.name,
    to: after.name,
    verdict: verdictOn(changes, String(from), String(to)),
    changes,
  };
}

/** Whether a client may break without having been told by the version. */
export function isRefused({ verdict }: Diff): boolean {
  return verdict.asks === 'major' && !verdict.isMet;
}
