import { type Contracts, documentOf, schemaOf, shownFile } from '../contract/contract-texts.ts';
import type { Finding } from '../contract/finding.ts';
import { lintContracts } from '../contract/lint.ts';
import type { LintSettings } from '../contract/lint-settings.ts';
import { type Difference, parity } from '../contract/parity.ts';
import type { Exception } from './exceptions.ts';
import type { Problem } from './verdict.ts';
import type { Version } from './version.ts';

type Accepted = (place: string, rule: string) => Exception | undefined;

/** The contradictions between the two contracts as they are now: those that a change makes, and those from before. */
export function contradictions(before: Contracts, after: Contracts) {
  const found = (contracts: Contracts) =>
    parity(documentOf(contracts), schemaOf(contracts)).filter(({ reason }) => !reason);
  const textOf = ({ entity, field, message }: Difference) => `${entity}.${field} ${message}`;
  const known = new Set(found(before).map(textOf));
  const now = found(after).map((each) => ({ ...each, isNew: !known.has(textOf(each)) }));
  return now.toSorted((a, b) => Number(b.isNew) - Number(a.isNew));
}

/** The lint errors that were not there before. */
export async function newErrors(
  before: Contracts,
  after: Contracts,
  settings: LintSettings,
): Promise<Finding[]> {
  const errorsIn = async (contracts: Contracts) =>
    (await lintContracts(contracts, settings)).filter(({ severity }) => severity === 'error');
  const now = await errorsIn(after);
  if (now.length === 0) return [];
  const known = new Set((await errorsIn(before)).map(keyOf));
  return now.filter((finding) => !known.has(keyOf(finding)));
}

export function parityProblem(
  { entity, field, message, isNew }: Difference & { readonly isNew: boolean },
  accepted: Accepted,
): Problem {
  const place = `${entity}.${field}`;
  return {
    ...{ source: 'parity', rule: 'parity', place, at: '', accepted: accepted(place, 'parity') },
    message: `The two contracts contradict each other${isNew ? '' : ', as before'}: \`${place}\` ${message}.`,
  };
}

export function lintProblem({ rule, message, place, at }: Finding, accepted: Accepted): Problem {
  return { source: 'lint', rule, message, place, at, accepted: accepted(place, rule) };
}

/** A version that does not say what the changes do. */
export function versionProblem(version: Version, after: Contracts, accepted: Accepted): Problem[] {
  const { from, to, asks, isMet, due } = version;
  if (isMet) return [];
  const place = '#/info/version';
  const change =
    from === to ? `the version is still ${to}` : `the version goes from ${from} to ${to}`;
  const message =
    to === ''
      ? 'clients break, and the contracts have no version to tell them'
      : `${change}, and ${due ?? `a ${asks} version`} is due`;
  const at = after.files?.openapi ? shownFile(after.files.openapi) : '';
  return [
    {
      source: 'version',
      rule: 'version-due',
      message,
      place,
      at,
      accepted: accepted(place, 'version-due'),
    },
  ];
}

/** Exceptions that are over no longer count, and have to go. */
export function overProblems(exceptions: readonly Exception[], today: string): Problem[] {
  return exceptions
    .filter(({ expires }) => expires < today)
    .map(({ place, owner, expires }) => ({
      ...{ source: 'exception', rule: 'exception-over', place, at: '', accepted: undefined },
      message: `The exception for \`${place}\` (${owner}) ended on ${expires}: it no longer counts.`,
    }));
}

function keyOf({ rule, place, message }: Finding): string {
  return `${rule} ${place} ${message}`;
}
