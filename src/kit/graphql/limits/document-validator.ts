import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
} from 'graphql';
import { checkWithin } from './check.ts';
import type { Limits } from './limits.ts';
import { refusal, withCode } from './refusal.ts';

/**
 * Prepares the validation of documents: the limits first, in one linear pass, and the standard
 * rules, which are slow on hostile documents, only where all limits hold.
 */
export function validatorWithin(
  limits: Limits,
  schema: GraphQLSchema,
  options: { readonly introspection: boolean },
): (document: DocumentNode) => readonly GraphQLError[] {
  const check = checkWithin(limits, schema);
  const rules = options.introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const settings = { maxErrors: limits.errors, hideSuggestions: !options.introspection };
  return (document) => {
    const excess = check(document);
    if (excess) return [excess];
    const errors = validate(schema, document, rules, settings);
    // graphql adds a remark that it stopped, which would be one error more than the limit.
    return errors.slice(0, limits.errors).map(asRefusal);
  };
}

function asRefusal(error: GraphQLError): GraphQLError {
  // graphql gives up comparing fields of the same name after half a million steps.
  return error.message === 'Validation aborted.'
    ? refusal('QUERY_TOO_COMPLEX', 'The document repeats the same fields too often.')
    : withCode('GRAPHQL_VALIDATION_FAILED', error);
}
