import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { codedError } from '../graphql-errors.ts';
import { type Checked, checkWithin } from './check.ts';
import type { Limits } from './limits.ts';

/** A document that may be executed. */
export type Valid = Checked & { readonly document: DocumentNode };

/** Why a document is refused. */
export type Refused = { readonly faults: readonly GraphQLError[] };

/**
 * Prepares parsing and validation of documents. The limits come first, in one linear pass: the
 * standard rules are slow on hostile documents.
 */
export function validatorWithin(
  limits: Limits,
  schema: GraphQLSchema,
  options: { readonly introspection: boolean },
): (source: string) => Valid | Refused {
  const check = checkWithin(limits, schema);
  const rules = options.introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const settings = { maxErrors: limits.errors, hideSuggestions: !options.introspection };
  return (source) => {
    const document = parseWithin(limits, source);
    if (document instanceof GraphQLError) return { faults: [document] };
    const checked = check(document);
    if ('excess' in checked) return { faults: [checked.excess] };
    const errors = validate(schema, document, rules, settings);
    // graphql adds a remark that it stopped, which would be one error more than the limit.
    if (errors.length > 0) return { faults: errors.slice(0, limits.errors).map(withCode) };
    return { document, ...checked };
  };
}

function parseWithin({ tokens }: Limits, source: string): DocumentNode | GraphQLError {
  try {
    return parse(source, {
      maxLexicalTokens: tokens,
      maxComments: tokens,
      maxSourceLength: tokens * CHARACTERS_PER_TOKEN,
      // The published grammar wants a selection; graphql 17 accepts none unless told not to.
      allowEmptySelectionSets: false,
    });
  } catch (error) {
    // The parser is recursive, and thousands of open brackets exhaust the stack.
    if (error instanceof RangeError) {
      return codedError('QUERY_TOO_COMPLEX', 'The document nests too deeply to be parsed.');
    }
    if (!(error instanceof GraphQLError)) throw error;
    const isLimit = BROKEN_LIMIT.test(error.message);
    return codedError(isLimit ? 'QUERY_TOO_COMPLEX' : 'GRAPHQL_PARSE_FAILED', error.message, error);
  }
}

// The source length is limited too, with room for the longest texts that the schema takes.
const CHARACTERS_PER_TOKEN = 200;

// The parser tells an exceeded limit by its message alone; what it quotes comes later in a message.
const BROKEN_LIMIT = /^Syntax Error: (?:Document|Source) contains more than \d+ /;

/** A new error, because graphql shares some between calls. */
function withCode(error: GraphQLError): GraphQLError {
  // graphql gives up comparing fields of the same name after half a million steps.
  return error.message === 'Validation aborted.'
    ? codedError('QUERY_TOO_COMPLEX', 'The document repeats the same fields too often.')
    : codedError('GRAPHQL_VALIDATION_FAILED', error.message, error);
}
