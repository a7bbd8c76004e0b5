/** What a GraphQL document may ask for. Only `fields` depends on what is stored. */
export type Limits = {
  /** How deep the fields of an operation nest; the parts of a Relay connection are no levels. */
  readonly depth: number;
  /** The cost of an operation: one for each field, and ten times what is selected of a list. */
  readonly cost: number;
  /** The aliased fields of an operation, fragments expanded. */
  readonly aliases: number;
  /** The tokens of a document, and its comments. */
  readonly tokens: number;
  /** The directives of an operation, fragments expanded. */
  readonly directives: number;
  /** The fields of one answer; each record and each 50 characters of text count as one more. */
  readonly fields: number;
  /** The validation errors that are reported. */
  readonly errors: number;
};

export const defaultLimits: Limits = {
  depth: 8,
  cost: 10_000,
  aliases: 15,
  tokens: 1_000,
  directives: 8,
  fields: 100_000,
  errors: 5,
};
