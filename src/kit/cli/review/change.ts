/** Breaking: a client that works today may fail. Decision: it depends on the client, so people decide. */
export type Level = 'breaking' | 'decision' | 'safe';

/** Who looks for what in a review. */
export type Reader = 'product' | 'client' | 'architect' | 'security';

/** What a change is about: an operation, a type or another shared part, or the API as a whole. */
export type Subject = {
  readonly kind: 'operation' | 'type' | 'api';
  /** `GET /planets`, `Query.planets` or `Planet`. */
  readonly name: string;
};

/** One difference between two contracts and what it means for those who use the API. */
export type Change = {
  readonly contract: 'OpenAPI' | 'GraphQL' | 'SDK';
  /** What kind of change it is, such as `parameter-removed`. */
  readonly rule: string;
  readonly level: Level;
  /** Whether only words changed, which no program reads. */
  readonly isWording: boolean;
  readonly subject: Subject;
  /** What of the subject changed, in short: `query limit`, `answer 200`, `name`; empty for all of it. */
  readonly part: string;
  /** A sentence that needs nothing beside it. */
  readonly message: string;
  /** The same for everybody, where the sentence is technical. */
  readonly brief?: string;
  /** Where it is: a JSON pointer or a schema coordinate. */
  readonly place: string;
  /** Whether the place is in the contract as it was: of what is gone. */
  readonly isGone: boolean;
  /** Whether clients may send what was refused. */
  readonly isLooser: boolean;
  readonly before?: string;
  readonly after?: string;
  readonly readers: readonly Reader[];
};

export const levels: readonly Level[] = ['breaking', 'decision', 'safe'];

/** The gravest of some levels; safe where there is none. */
export function gravest(all: readonly Level[]): Level {
  return levels.find((level) => all.includes(level)) ?? 'safe';
}

// New inputs, and data that answers did not show.
const openings = /(parameter|body|argument|property|field|operation|header|type)-added/;
const parts = /(operation|property|field|type|value|parameter|argument)-(added|removed|renamed)/;

/** Who a kind of change is for, unless only words changed: those are for product alone. */
export function readersOf({
  rule,
  level,
  isWording,
  isLooser,
}: Pick<Change, 'rule' | 'level' | 'isWording' | 'isLooser'>): Reader[] {
  if (isWording) return ['product'];
  const isSecurity = /security|server/.test(rule) || isLooser || openings.test(rule);
  const isProduct = level === 'breaking' || parts.test(rule) || /deprecated|sunset/.test(rule);
  const isArchitect = level !== 'safe' || parts.test(rule) || /security|server|media/.test(rule);
  return [
    ...(isProduct ? (['product'] as const) : []),
    'client',
    ...(isArchitect ? (['architect'] as const) : []),
    ...(isSecurity ? (['security'] as const) : []),
  ];
}
