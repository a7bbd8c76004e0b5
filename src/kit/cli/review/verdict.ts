import { type Change, gravest, type Level } from './change.ts';
import type { Exception } from './exceptions.ts';
import type { Version } from './version.ts';

/** Something besides the changes themselves that people have to decide or mend. */
export type Problem = {
  readonly source: 'version' | 'parity' | 'lint' | 'sdk' | 'exception';
  readonly rule: string;
  readonly message: string;
  readonly place: string;
  /** The file and line; empty where there is none. */
  readonly at: string;
  readonly accepted: Exception | undefined;
};

/** A change with what the review knows beside it. */
export type Reviewed = Change & {
  readonly accepted: Exception | undefined;
  /** The file and line; empty where there is none. */
  readonly at: string;
};

export type Verdict = {
  readonly level: Level;
  /** The level in words. */
  readonly label: string;
  /** How many changes of which level there are, and whether the check passes. */
  readonly counts: string;
  /** Why, a phrase each. */
  readonly reasons: readonly string[];
  /** Whether nothing is left to decide: what was found is accepted, or the version says it. */
  readonly isPassed: boolean;
};

const labels: Readonly<Record<Level, string>> = {
  breaking: 'Breaking',
  decision: 'Needs a decision',
  safe: 'Safe',
};

/** One verdict over everything. */
export function verdictOn(
  changes: readonly Reviewed[],
  problems: readonly Problem[],
  { from, to, asks, isMet }: Version,
): Verdict {
  const open = problems.filter(({ accepted }) => !accepted);
  const level = gravest([
    ...changes.map((change) => change.level),
    ...open.map(() => 'decision' as const),
  ]);
  const gravestOnes = changes.filter((change) => change.level === level);
  const isAccepted = gravestOnes.length > 0 && gravestOnes.every(({ accepted }) => accepted);
  const isAccord = level !== 'safe' && isAccepted && open.length === 0;
  const number = (each: Level) => changes.filter((change) => change.level === each).length;
  const [breaking, decision] = [number('breaking'), number('decision')];
  const told = isMet && from !== '' && from !== to && asks !== 'none';
  return {
    level,
    label: isAccord ? `${labels[level]}, accepted` : labels[level],
    reasons: [
      ...(breaking > 0 ? [`${counted(breaking, 'change breaks', 'changes break')} clients`] : []),
      ...(decision > 0
        ? [`${counted(decision, 'change depends', 'changes depend')} on the client`]
        : []),
      ...sources.flatMap(([source, one, many]) => {
        const count = open.filter((each) => each.source === source).length;
        return count > 0 ? [counted(count, one, many)] : [];
      }),
      ...open.filter(({ source }) => source === 'version').map(({ message }) => message),
      ...(told ? [`version ${from} → ${to} is right for it`] : []),
      ...(changes.length === 0 ? ['nothing has changed'] : []),
      ...(changes.length > 0 && level === 'safe' ? ['no client notices'] : []),
    ],
    counts: `${countsText(changes)} ${passText(open)}`,
    isPassed: open.length === 0,
  };
}

function countsText(changes: readonly Change[]): string {
  const wording = changes.filter(({ isWording }) => isWording).length;
  const real = changes.filter(({ isWording }) => !isWording);
  const levels = Map.groupBy(real, ({ level }) => level);
  const parts = [...levels].map(([level, all]) => `${all.length} ${adjectives[level]}`);
  return `${counted(real.length, 'change', 'changes')}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}${wording > 0 ? `; ${counted(wording, 'text', 'texts')} reworded` : ''}.`;
}

const adjectives: Readonly<Record<Level, string>> = {
  breaking: 'breaking',
  decision: 'depending on the client',
  safe: 'safe',
};

function passText(open: readonly Problem[]): string {
  if (open.length === 0) return 'The check passes: nothing is left to settle.';
  return `The check fails until ${counted(open.length, 'point', 'points')} below ${open.length === 1 ? 'is' : 'are'} settled.`;
}

const sources = [
  ['parity', 'contradiction between the two contracts', 'contradictions between the two contracts'],
  ['lint', 'new lint error', 'new lint errors'],
  ['sdk', 'fault of the SDK', 'faults of the SDK'],
  ['exception', 'exception is over', 'exceptions are over'],
] as const;

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
