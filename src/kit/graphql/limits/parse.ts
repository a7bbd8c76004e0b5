import { type DocumentNode, GraphQLError, parse, type Source } from 'graphql';
import type { Limits } from './limits.ts';
import { refusal, withCode } from './refusal.ts';

/** Parses a document, or throws a GraphQLError that says why it is refused. */
export function parseWithin(limits: Limits, source: string | Source): DocumentNode {
  try {
    return parse(source, {
      maxLexicalTokens: limits.tokens,
      maxComments: limits.tokens,
      maxSourceLength: limits.tokens * charactersPerToken,
      // The published grammar wants a selection; graphql 17 accepts none unless told not to.
      allowEmptySelectionSets: false,
    });
  } catch (error) {
    // The parser is recursive, and thousands of open brackets exhaust the stack.
    if (error instanceof RangeError) {
      throw refusal('QUERY_TOO_COMPLEX', 'The document nests too deeply to be parsed.');
    }
    if (!(error instanceof GraphQLError)) throw error;
    const isLimit = brokenLimit.test(error.message);
    throw withCode(isLimit ? 'QUERY_TOO_COMPLEX' : 'GRAPHQL_PARSE_FAILED', error);
  }
}

// Tokens have no length of their own; this leaves room for the longest texts the schema takes.
const charactersPerToken = 200;

// The parser marks a broken limit by its message alone; what it quotes comes later in a message.
const brokenLimit = /^Syntax Error: (?:Document|Source) contains more than \d+ /;
