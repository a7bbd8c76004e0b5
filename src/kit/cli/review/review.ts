import { type GraphQLSchema, parse } from 'graphql';
import { contractDigest } from '../../contract/contract.ts';
import { examplesIn } from '../../docs/examples.ts';
import type { Contracts } from '../contract/contract-texts.ts';
import type { LintSettings } from '../contract/lint-settings.ts';
import { type Difference, parity } from '../contract/parity.ts';
import { partsOfDocument } from '../coverage/graphql-parts.ts';
import { asBefore } from './as-before.ts';
import { type Change, levels } from './change.ts';
import { contractChanges, versionIn } from './diff.ts';
import { createAcceptance, type Exception } from './exceptions.ts';
import { createLocate } from './locate.ts';
import {
  contradictions,
  lintProblem,
  newErrors,
  overProblems,
  parityProblem,
  versionProblem,
} from './problems.ts';
import { createReach, nothing } from './reach.ts';
import { type MethodChange, renamedMethods, sdkChanges } from './sdk-diff.ts';
import { createSections, type Section } from './sections.ts';
import { shownExchanges } from './shown-exchanges.ts';
import { operationsText, sidesOf } from './sides.ts';
import { type Noticed, noticed, summaryOf } from './summary.ts';
import { touchedSentence } from './touched.ts';
import type { Usage } from './usage.ts';
import { type Problem, type Reviewed, type Verdict, verdictOn } from './verdict.ts';
import { type Version, versionOf } from './version.ts';

/** All that a review says, whatever its format. */
export type Review = {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly verdict: Verdict;
  /** Three to seven, for everybody. */
  readonly sentences: readonly string[];
  /** What clients may notice, in sentences. */
  readonly noticed: readonly Noticed[];
  /** What did not change, in sentences. */
  readonly asBefore: readonly string[];
  readonly version: Version;
  /** A draft for the changelog, in Markdown. */
  readonly changelog: string;
  readonly problems: readonly Problem[];
  readonly changes: readonly Reviewed[];
  readonly sections: readonly Section[];
  readonly methods: readonly MethodChange[];
  /** The operations of operations.graphql that use what changed. */
  readonly graphqlOperations: readonly string[];
  readonly parity: readonly Difference[];
  readonly exceptions: readonly Exception[];
  readonly digests: { readonly before: string; readonly after: string };
};

export type ReviewOptions = {
  readonly exceptions: readonly Exception[];
  readonly usage: Usage;
  readonly lint: LintSettings;
  /** The day on which exceptions are looked at. */
  readonly today: string;
};

/** Everything that people need to say yes or no to a change. */
export async function reviewOf(
  before: Contracts,
  after: Contracts,
  { exceptions, usage, lint, today }: ReviewOptions,
): Promise<Review> {
  const accepted = createAcceptance(exceptions, today);
  const found = await contractChanges(before, after);
  const { documents, schemas } = sidesOf(before, after);
  const { methods, fault } = attempt(() => sdkChanges(before, after));
  const all = [...found, ...missing(renamedMethods(methods), found)].toSorted(
    (a, b) => levels.indexOf(a.level) - levels.indexOf(b.level),
  );
  const locate = await createLocate(
    before,
    after,
    all.filter(({ isWording }) => !isWording),
  );
  const changes = all.map(
    (change): Reviewed => ({
      ...change,
      at: change.isWording ? '' : locate(change),
      accepted: accepted(change.place, change.rule),
    }),
  );
  const version = versionOf(
    changes.map((change) => (change.accepted ? { ...change, level: 'safe' } : change)),
    versionIn(before),
    versionIn(after),
  );
  const problems = [
    ...versionProblem(version, after, accepted),
    ...contradictions(before, after).map((each) => parityProblem(each, accepted)),
    ...(await newErrors(before, after, lint)).map((each) => lintProblem(each, accepted)),
    ...(fault
      ? [
          {
            source: 'sdk',
            rule: 'sdk',
            message: `No SDK can be made: ${fault}`,
            place: '#',
            at: '',
            accepted: undefined,
          } as const,
        ]
      : []),
    ...overProblems(exceptions, today),
  ];
  const graphqlOperations = touchedOperations(schemas.after, changes);
  const shown = await shownExchanges(before, after, changes, schemas, graphqlOperations);
  const reach = createReach(
    ...[documents.before, documents.after].filter((each) => each !== undefined),
  );
  const sections = createSections({ changes, documents, schemas, reach, methods, shown, usage });
  const reachOf = ({ subject, place }: Change) =>
    subject.kind === 'type' ? reach(place) : nothing;
  const sentences = summaryOf(changes, documents, reachOf);
  return {
    title: documents.after?.info?.title ?? 'the API',
    from: before.name,
    to: after.name,
    verdict: verdictOn(changes, problems, version),
    sentences: [
      ...sentences,
      ...touchedSentence(sections, methods, graphqlOperations),
      versionSentence(version),
    ]
      .filter(Boolean)
      .slice(0, 7),
    noticed: noticed(changes, reachOf),
    asBefore: asBefore(changes, { documents, schemas }),
    version,
    changelog: changelogOf(sentences, version),
    ...{ problems, changes, sections, methods, graphqlOperations, exceptions },
    parity: parity(documents.after, schemas.after),
    digests: { before: digestOf(before), after: digestOf(after) },
  };
}

/** The SDK is one of the things that may break: what the generator refuses is told, not thrown. */
function attempt(run: () => MethodChange[]): { methods: MethodChange[]; fault: string } {
  try {
    return { methods: run(), fault: '' };
  } catch (error) {
    return { methods: [], fault: error instanceof Error ? error.message : String(error) };
  }
}

/** A method is called otherwise because of a change that is told already. */
function missing(renamed: readonly Change[], found: readonly Change[]): Change[] {
  const told = new Set(
    found
      .filter(({ rule }) => rule === 'operation-renamed' || rule === 'operation-moved')
      .map(({ subject }) => subject.name),
  );
  return renamed.filter(({ subject }) => !told.has(subject.name));
}

function versionSentence({ from, to, asks, isMet, due }: Version): string {
  if (asks === 'none' || (from === '' && to === '')) return '';
  if (isMet) return `The version goes from ${from} to ${to}, as the change asks.`;
  const now = to === '' ? 'there is none' : `it is ${to}`;
  return `The version has to become ${due ?? `a ${asks} one`}; ${now}.`;
}

function changelogOf(sentences: readonly string[], { to, due, isMet }: Version): string {
  if (sentences.length === 0) return '';
  const version = isMet ? to : due;
  return `${version ? `## ${version}\n\n` : ''}${sentences.map((each) => `- ${each}\n`).join('')}`;
}

/** The operations of the project's operations.graphql that use a changed part of the schema. */
function touchedOperations(
  schema: GraphQLSchema | undefined,
  changes: readonly Change[],
): string[] {
  const text = operationsText();
  if (!schema || text === '') return [];
  const places = changes
    .filter(({ contract, isWording }) => contract === 'GraphQL' && !isWording)
    .map(({ place }) => `${place.replace(/\.@.*$/, '')}.`);
  const isTouched = (part: string) => {
    const coordinate = `${part.replace('GraphQL ', '').replace(/\((.*):\)/, '.$1')}.`;
    return places.some((place) => place === coordinate || coordinate.startsWith(place));
  };
  return examplesIn(text)
    .filter(({ query }) => [...partsOfDocument(schema, parse(query))].some(isTouched))
    .map(({ name }) => name);
}

function digestOf({ openapi, bundle, sdl }: Contracts): string {
  return contractDigest(bundle?.text ?? openapi, sdl);
}
