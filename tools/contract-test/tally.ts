import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Exchange, livesIn } from './lives.ts';

export type Counts = ReadonlyMap<string, number>;

/** What happened in a run, counted. */
export type Tally = {
  /** Cases by phase. */
  readonly cases: Counts;
  /** Answers by operation and status, as `GET /books 200`. */
  readonly answers: Counts;
  /** How often each check was applied. */
  readonly checks: Counts;
  /** How often each link of the contract was followed. */
  readonly links: Counts;
  /** Records that were created, read, replaced, deleted and then not found, by collection. */
  readonly lives: Counts;
};

// The parts that are read here of the events that schemathesis writes.
type Event = { readonly ScenarioFinished?: { phase: string; recorder: Recorder } };
type Recorder = {
  readonly label: string;
  readonly cases?: Readonly<Record<string, Case>>;
  readonly checks?: Readonly<Record<string, readonly { readonly name: string }[]>>;
  readonly interactions?: Readonly<Record<string, Exchange>>;
};
type Case = {
  readonly value: { readonly method: string; readonly path: string };
  readonly transition?: { readonly id: string; readonly is_inferred: boolean } | null;
  readonly is_transition_applied: boolean;
};

/** Counts what is in a file of events. */
export async function readTally(file: string): Promise<Tally> {
  const parts = emptyParts();
  for await (const line of createInterface(createReadStream(file))) {
    // Written by the pinned version of schemathesis.
    const { ScenarioFinished: scenario } = JSON.parse(line) as Event;
    if (scenario) count(parts, scenario.phase, scenario.recorder);
  }
  return parts;
}

/** Several tallies as one. */
export function sum(tallies: readonly Tally[]): Tally {
  const parts = emptyParts();
  for (const tally of tallies) {
    for (const name of names) {
      for (const [key, times] of tally[name]) add(parts[name], key, times);
    }
  }
  return parts;
}

export function total(counts: Counts): number {
  return [...counts.values()].reduce((all, some) => all + some, 0);
}

const names = ['cases', 'answers', 'checks', 'links', 'lives'] as const;
type Parts = Record<(typeof names)[number], Map<string, number>>;

function emptyParts(): Parts {
  return {
    cases: new Map(),
    answers: new Map(),
    checks: new Map(),
    links: new Map(),
    lives: new Map(),
  };
}

function count(parts: Parts, phase: string, recorder: Recorder): void {
  const { label, cases = {}, checks = {}, interactions = {} } = recorder;
  for (const [id, each] of Object.entries(cases)) {
    add(parts.cases, phase);
    const { method, path } = each.value;
    const operation = phase === 'stateful' ? `${method} ${path}` : label;
    const status = interactions[id]?.response?.status_code;
    if (status) add(parts.answers, `${operation} ${status}`);
    if (each.transition && !each.transition.is_inferred && each.is_transition_applied) {
      add(parts.links, each.transition.id);
    }
  }
  for (const { name } of Object.values(checks).flat()) add(parts.checks, name);
  if (phase !== 'stateful') return;
  for (const collection of livesIn(Object.values(interactions))) add(parts.lives, collection);
}

function add(counts: Map<string, number>, key: string, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}
