import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  separateOperations,
  validate,
} from 'graphql';
import { examplesIn } from '../../docs/examples.ts';
import { sdlError } from '../../graphql/sdl-check.ts';
import type { Sources } from './sdk-sources.ts';

/** An operation of operations.graphql: a function of the SDK. */
export type NamedOperation = {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly about: string;
  /** The operation with the fragments that it uses. */
  readonly text: string;
  readonly node: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** What it is answered with on the demo data. */
  readonly answers: unknown;
};

export type Graphql = {
  readonly schema: GraphQLSchema;
  readonly operations: readonly NamedOperation[];
  /** What can go wrong: the codes that the contract lists, if it does. */
  readonly codes: readonly string[];
  /** What the SDK lacks, a line each. */
  readonly leftOut: readonly string[];
};

/** The GraphQL part of an SDK; undefined without an SDL. */
export function graphqlOf(sources: Sources): Graphql | undefined {
  const { schema, operations, operationsFile = 'operations.graphql', document } = sources;
  if (!schema) return undefined;
  const codes = graphqlCodes(document);
  if (operations.trim() === '') return { schema, operations: [], codes, leftOut: [] };
  const parsed = parsedOperations(operations, operationsFile);
  const [fault] = validate(schema, parsed);
  if (fault) throw sdlError(operationsFile, parsed, fault);
  const examples = new Map(examplesIn(operations).map((each) => [each.name, each]));
  const leftOut: string[] = [];
  const found = Object.entries(separateOperations(parsed)).flatMap(([name, single]) => {
    const node = single.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
    if (!node || !name) throw new Error(`${operationsFile} has an operation without a name`);
    if (node.operation === 'subscription') {
      leftOut.push(`${operationsFile}: ${name} is left out: the SDK has no subscriptions`);
      return [];
    }
    const { about = '', variables = '' } = examples.get(name) ?? {};
    return {
      name,
      kind: node.operation,
      about,
      text: print(single),
      node,
      variables: variables ? JSON.parse(variables) : {},
      answers: JSON.parse(comment(operations, name, 'answers') ?? 'null'),
    };
  });
  return { schema, operations: found, codes, leftOut };
}

function parsedOperations(text: string, file: string): DocumentNode {
  try {
    return parse(text);
  } catch (error) {
    throw sdlError(file, undefined, error);
  }
}

/** The codes that the contract lists for the errors of a GraphQL result. */
function graphqlCodes(document: Sources['document']): string[] {
  const { GraphqlError } = Object(document.components?.schemas);
  return GraphqlError?.properties?.extensions?.properties?.code?.enum ?? [];
}

/** What a comment right before an operation says after a word. */
function comment(text: string, operation: string, word: string): string | undefined {
  const [before = ''] = text.split(new RegExp(`^(?:query|mutation) ${operation}\\b`, 'm'));
  const [near = ''] = before.split(/\n\s*\n/).slice(-1);
  return near.match(new RegExp(`^# ${word} (.*)$`, 'm'))?.[1];
}
