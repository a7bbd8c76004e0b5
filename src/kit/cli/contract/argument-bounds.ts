import { type GraphQLArgument, print, valueFromASTUntyped } from 'graphql';

export type Bounds = {
  readonly minLength: number;
  readonly maxLength: number;
  readonly format: unknown;
  /** As the SDL has it; empty where it has none. */
  readonly text: string;
};

/** What text an argument takes, as its @bounds says. */
export function boundsOf({ astNode }: GraphQLArgument): Bounds {
  const directive = astNode?.directives?.find(({ name }) => name.value === 'bounds');
  const given = Object.fromEntries(
    (directive?.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  );
  return {
    minLength: Number(given.minLength ?? 0),
    maxLength: Number(given.maxLength ?? Number.POSITIVE_INFINITY),
    format: given.format,
    text: directive ? print(directive) : '',
  };
}
