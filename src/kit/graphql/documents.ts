import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { present } from '../errors.ts';
import { deprecatedIn } from './deprecation.ts';
import { type AnswerCosts, answerCosts } from './limits/definitions.ts';
import { validatorWithin } from './limits/document-validator.ts';
import type { Limits } from './limits/limits.ts';
import { parseWithin } from './limits/parse.ts';

/** A document, and what was found out about it once and for all. */
export type Prepared = {
  readonly document: DocumentNode;
  /** Why it is refused, if it is. */
  readonly faults: readonly GraphQLError[];
  /** The deprecated parts of the schema that it uses. */
  readonly deprecated: ReadonlySet<string>;
  /** What a record of each list costs in an answer. */
  readonly costs: AnswerCosts;
};

export type Documents = {
  /** Finds a good document that was asked for before. */
  ready(source: string): DocumentNode | undefined;
  /** Finds or makes a document; throws when it does not parse. */
  parse(source: string): DocumentNode;
  /** What is known of a document that was parsed here. */
  of(document: DocumentNode): Prepared;
};

type Options = {
  readonly limits: Limits;
  readonly introspection: boolean;
  /** Told whether a document was known. */
  readonly onLookup: (isKnown: boolean) => void;
};

// Clients repeat a few documents; whoever sends ever new ones must not fill the memory with them.
const MOST_DOCUMENTS = 1000;
const MOST_BYTES = 16_000_000;
// Measured: 280 to 480 with the nodes that the parser makes of a token.
const BYTES_PER_TOKEN = 500;

/**
 * Parses and validates documents, and keeps those that were asked for last. One with faults is not kept:
 * its errors refer to all that the validation was done with.
 */
export function createDocuments(schema: GraphQLSchema, options: Options): Documents {
  const { limits, introspection, onLookup } = options;
  const validate = validatorWithin(limits, schema, { introspection });
  // In the order in which they were last asked for.
  const known = new Map<string, Prepared>();
  const ofDocument = new WeakMap<DocumentNode, Prepared>();
  let bytes = 0;

  function make(source: string): Prepared {
    const document = parseWithin(limits, source);
    const faults = validate(document);
    const isGood = faults.length === 0;
    const prepared = {
      document,
      faults,
      deprecated: isGood ? deprecatedIn(schema, document) : new Set<string>(),
      costs: isGood ? answerCosts(schema, document) : { ofList: new Map(), copies: 1 },
    };
    ofDocument.set(document, prepared);
    return prepared;
  }

  function keep(source: string, prepared: Prepared): void {
    known.set(source, prepared);
    bytes += bytesOf(source, prepared.document);
    for (const [oldest, { document }] of known) {
      if (known.size <= MOST_DOCUMENTS && bytes <= MOST_BYTES) break;
      known.delete(oldest);
      bytes -= bytesOf(oldest, document);
    }
  }

  function recall(source: string, prepared: Prepared): DocumentNode {
    onLookup(true);
    known.delete(source);
    known.set(source, prepared);
    return prepared.document;
  }

  return {
    ready(source) {
      const found = known.get(source);
      return found && recall(source, found);
    },
    parse(source) {
      const found = known.get(source);
      if (found) return recall(source, found);
      onLookup(false);
      const prepared = make(source);
      if (prepared.faults.length === 0) keep(source, prepared);
      return prepared.document;
    },
    of: (document) => present(ofDocument.get(document)),
  };
}

function bytesOf(source: string, { loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens++;
  return 2 * source.length + tokens * BYTES_PER_TOKEN;
}
