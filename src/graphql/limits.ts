/** What a GraphQL document may ask for; all of it is held before anything is resolved. */
export type Limits = {
  /** How deep the fields of an operation nest. */
  readonly depth: number;
  /** What an operation costs: each field one, and what a list holds ten times. */
  readonly cost: number;
  /** The aliased fields of an operation, its fragments filled in. */
  readonly aliases: number;
  /** The tokens of a document, and its comments. */
  readonly tokens: number;
  /** The directives of an operation, its fragments filled in. */
  readonly directives: number;
  /** The validation errors that are reported. */
  readonly errors: number;
};

export const defaultLimits: Limits = {
  depth: 8,
  cost: 10_000,
  aliases: 15,
  tokens: 1_000,
  directives: 8,
  errors: 5,
};
