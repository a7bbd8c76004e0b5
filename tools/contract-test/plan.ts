import { samples } from '../../test/support/collections.ts';

export type ContractFile = 'openapi.yaml' | 'schema.graphql';

/** One run of schemathesis, against a server and a database of its own. */
export type Run = {
  readonly name: string;
  readonly contract: ContractFile;
  readonly seed: number;
  /** How many cases to generate for each operation, and how many walks along the links. */
  readonly examples: number;
  readonly phases: readonly string[];
  /** The tag of the operations to attack; all of them without it. */
  readonly tag?: string;
  /** The database behind the server: SQLite, if it is not said. */
  readonly engine?: 'postgres';
};

type Wishes = { readonly seeds?: string; readonly examples?: string; readonly short: boolean };

export const phases = ['examples', 'coverage', 'fuzzing', 'stateful'];
export const collections = Object.keys(samples);

/**
 * The runs to make: with each seed one on each contract, and one along the life of each kind of record;
 * with the first seed once more on PostgreSQL.
 */
export function plan({ seeds, examples, short }: Wishes): Run[] {
  const count = integer(examples ?? (short ? '5' : '100'));
  const numbers = (seeds ?? (short ? '1' : '1,2,3')).split(',').map(integer);
  const runs = numbers.flatMap((seed) => [
    rest(seed, count),
    // Among all operations few walks stay with one record until its end.
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

/** One run along the life of the records of a collection. */
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
