import { type ASTNode, GraphQLError } from 'graphql';

/** Every code that a document can be refused with. */
export type RefusalCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'QUERY_TOO_COMPLEX';

export function refusal(code: RefusalCode, message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(shortened(message), { nodes: node, extensions: { code } });
}

/** The same error with a code; it is made anew because graphql shares some errors between calls. */
export function withCode(code: RefusalCode, error: GraphQLError): GraphQLError {
  const { nodes, source, positions } = error;
  return new GraphQLError(shortened(error.message), {
    nodes,
    source,
    positions,
    extensions: { code },
  });
}

// graphql quotes names and strings of the document, however long they are.
function shortened(message: string): string {
  return message.length > 500 ? `${message.slice(0, 500).toWellFormed()}…` : message;
}
