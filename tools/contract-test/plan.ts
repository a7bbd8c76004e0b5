export type ContractFile = 'openapi.yaml' | 'schema.graphql';

/** One run of schemathesis, against a server and a database of its own. */
export type Run = {
  readonly name: string;
  readonly contract: ContractFile;
  readonly seed: number;
  /** Cases for each operation, and walks along the links. */
  readonly examples: number;
  readonly phases: readonly string[];
  /** Only the operations of this tag. */
  readonly tag?: string;
  /** SQLite, unless given. */
  readonly engine?: 'postgres';
};

type Options = { readonly seeds?: string; readonly examples?: string; readonly short: boolean };

export const phases = ['examples', 'coverage', 'fuzzing', 'stateful'];

/**
 * Each seed has one run on each contract, and one along the links of each collection; the first seed has both
 * contracts on PostgreSQL as well.
 */
export function plan({ seeds, examples, short }: Options, collections: readonly string[]): Run[] {
  const count = integer(examples ?? (short ? '5' : '100'));
  const numbers = (seeds ?? (short ? '1' : '1,2,3')).split(',').map(integer);
  const runs = numbers.flatMap((seed) => [
    rest(seed, count),
    // A walk among all operations rarely stays with one record until it is deleted.
    ...(short ? [] : collections.map((tag) => walk(tag, seed, count))),
    graphql(seed, count),
  ]);
  const [seed = 1] = numbers;
  return short ? runs : [...runs, ...[rest(seed, count), graphql(seed, count)].map(onPostgres)];
}

function onPostgres(run: Run): Run {
  return { ...run, name: `${run.name}-postgres`, engine: 'postgres' };
}

function rest(seed: number, examples: number): Run {
  return { name: `rest-${seed}`, contract: 'openapi.yaml', seed, examples, phases };
}

/** One run along the links of a collection. */
export function walk(tag: string, seed: number, examples: number): Run {
  const contract = 'openapi.yaml';
  return { name: `rest-${seed}-${tag}`, contract, seed, examples, phases: ['stateful'], tag };
}

function graphql(seed: number, examples: number): Run {
  // schemathesis has no other phases for GraphQL.
  const possible = ['fuzzing', 'stateful'];
  return { name: `graphql-${seed}`, contract: 'schema.graphql', seed, examples, phases: possible };
}

function integer(text: string): number {
  if (/^[1-9][0-9]*$/.test(text)) return Number(text);
  throw new Error(
    `--seeds takes whole numbers such as 1,2,3 and --examples one of them, not ${text}`,
  );
}
