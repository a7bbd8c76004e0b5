import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { present } from '../errors.ts';
import { deprecatedIn } from './deprecation.ts';
import { parseWithin } from './limits/parse.ts';
import { validatorWithin } from './limits/validate.ts';
import type { Limits } from './limits.ts';

/** A document, and what was found out about it once and for all. */
export type Prepared = {
  readonly document: DocumentNode;
  /** Why it is refused, if it is. */
  readonly faults: readonly GraphQLError[];
  /** The deprecated parts of the schema that it uses. */
  readonly deprecated: ReadonlySet<string>;
};

export type Documents = {
  /** Finds a document that was asked for before and is good. */
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
const MOST_CHARACTERS = 500_000;

/** Parses and validates documents, and keeps those that were asked for last. */
export function createDocuments(schema: GraphQLSchema, options: Options): Documents {
  const { limits, introspection, onLookup } = options;
  const validate = validatorWithin(limits, schema, { introspection });
  // In the order in which they were last asked for.
  const known = new Map<string, Prepared>();
  const ofDocument = new WeakMap<DocumentNode, Prepared>();
  let characters = 0;

  function make(source: string): Prepared {
    const document = parseWithin(limits, source);
    const faults = validate(document);
    const deprecated = faults.length > 0 ? new Set<string>() : deprecatedIn(schema, document);
    const prepared = { document, faults, deprecated };
    ofDocument.set(document, prepared);
    return prepared;
  }

  function keep(source: string, prepared: Prepared): void {
    known.set(source, prepared);
    characters += source.length;
    for (const oldest of known.keys()) {
      if (known.size <= MOST_DOCUMENTS && characters <= MOST_CHARACTERS) break;
      known.delete(oldest);
      characters -= oldest.length;
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
      return found?.faults.length === 0 ? recall(source, found) : undefined;
    },
    parse(source) {
      const found = known.get(source);
      if (found) return recall(source, found);
      onLookup(false);
      const prepared = make(source);
      keep(source, prepared);
      return prepared.document;
    },
    of: (document) => present(ofDocument.get(document)),
  };
}
