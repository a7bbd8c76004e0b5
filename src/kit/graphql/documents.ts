import type { DocumentNode, GraphQLSchema } from 'graphql';
import { deprecatedIn } from './deprecated-use.ts';
import { type Operation, operationsIn } from './execution.ts';
import { type Refused, type Valid, validatorWithin } from './limits/document-validator.ts';
import type { Limits } from './limits/limits.ts';

/** A valid document with all that the stages of a request need of it. */
export type Prepared = Valid & {
  readonly operations: readonly Operation[];
  /** The deprecated parts of the schema that it uses, as `Type.field`. */
  readonly deprecated: ReadonlySet<string>;
};

type Options = {
  readonly limits: Limits;
  readonly introspection: boolean;
  /** Told whether a document was in the cache. */
  readonly onLookup: (isKnown: boolean) => void;
};

// The cache is bounded, so that a client that sends ever new documents cannot fill the memory.
const MOST_DOCUMENTS = 1000;
const MOST_BYTES = 16_000_000;
// Measured: 280 to 480 with the nodes that the parser makes of a token.
const BYTES_PER_TOKEN = 500;

/**
 * Parses, limits and validates documents, and caches the valid ones, least recently used out first. A document
 * with faults is not kept: its errors refer to all of the validation's state.
 */
export function createPrepare(
  schema: GraphQLSchema,
  { limits, introspection, onLookup }: Options,
): (source: string) => Prepared | Refused {
  const validate = validatorWithin(limits, schema, { introspection });
  const cache = new Map<string, Prepared>();
  let bytes = 0;

  function keep(source: string, prepared: Prepared): void {
    cache.set(source, prepared);
    bytes += bytesOf(source, prepared.document);
    for (const [oldest, { document }] of cache) {
      if (cache.size <= MOST_DOCUMENTS && bytes <= MOST_BYTES) break;
      cache.delete(oldest);
      bytes -= bytesOf(oldest, document);
    }
  }

  return (source) => {
    const known = cache.get(source);
    onLookup(known !== undefined);
    if (known) {
      cache.delete(source);
      cache.set(source, known);
      return known;
    }
    const valid = validate(source);
    if ('faults' in valid) return valid;
    const { document } = valid;
    const operations = operationsIn(document);
    const prepared = { ...valid, operations, deprecated: deprecatedIn(schema, document) };
    keep(source, prepared);
    return prepared;
  };
}

function bytesOf(source: string, { loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens++;
  return 2 * source.length + tokens * BYTES_PER_TOKEN;
}
