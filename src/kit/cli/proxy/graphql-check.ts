import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { isJsonType } from '../../contract/media-type.ts';
import { isObject } from '../../contract/openapi-document.ts';
import type { Exchange } from '../../http/exchange.ts';
import { createLru } from '../../lru.ts';
import type { Breach } from './breaches.ts';
import { shapeFaults } from './graphql-shape.ts';
import { jsonFault, parsed } from './json-body.ts';
import type { Answer } from './rest-check.ts';

/** A GraphQL request that can be executed. */
type Asked = {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
};

export type GraphqlCheck = {
  request(exchange: Exchange): { readonly breaches: Breach[]; readonly asked: Asked | undefined };
  answer(asked: Asked | undefined, answer: Answer): Breach[];
};

type Parsed = {
  readonly document: DocumentNode | undefined;
  readonly faults: readonly string[];
};

const MOST_DOCUMENTS = 500;
/** As many faults of variables are looked for. */
const MOST_FAULTS = 20;
/** As many tokens as a document may have to be looked at. */
const MOST_TOKENS = 15_000;

/** Holds GraphQL requests to an SDL, and answers to the fields that were selected. */
export function createGraphqlCheck(schema: GraphQLSchema): GraphqlCheck {
  const documents = createLru(MOST_DOCUMENTS, (text: string): Parsed => {
    try {
      const document = parse(text, { maxTokens: MOST_TOKENS });
      const faults = validate(schema, document).map(({ message }) => message);
      return { document, faults };
    } catch (error) {
      return { document: undefined, faults: [messageOf(error)] };
    }
  });

  return {
    request(exchange) {
      const found = (message: string, place = 'document', operation = 'graphql') => ({
        breaches: [{ side: 'request', operation, place, message } as const],
        asked: undefined,
      });
      const envelope = envelopeOf(exchange);
      if (envelope === 'unknown') return { breaches: [], asked: undefined };
      const { query, operationName, variables = {} } = envelope;
      if (typeof query !== 'string') return found('is required', '/body/query');
      const { document, faults } = documents(query);
      const name = typeof operationName === 'string' ? operationName : undefined;
      const operation = document && getOperationAST(document, name);
      if (faults.length > 0) {
        const of = queryName(operation);
        return {
          breaches: faults.flatMap((each) => found(each, 'document', of).breaches),
          asked: undefined,
        };
      }
      if (!document || !operation)
        return found('names no operation of the document', '/body/operationName');
      if (variables !== null && !isObject(variables)) {
        return found('must be an object', '/body/variables', queryName(operation));
      }
      const definitions = operation.variableDefinitions ?? [];
      const read = getVariableValues(schema, definitions, variables ?? {}, {
        maxErrors: MOST_FAULTS,
      });
      if (read.errors) {
        const all = read.errors.flatMap(
          ({ message }) => found(message, '/body/variables', queryName(operation)).breaches,
        );
        return { breaches: all, asked: undefined };
      }
      return {
        breaches: [],
        asked: { document, operation, variables: read.variableValues.coerced },
      };
    },

    answer(asked, { headers, body }) {
      const breach = { side: 'answer', operation: queryName(asked?.operation) } as const;
      // Events of a subscription, and parts that are delivered later.
      const type = String(headers['content-type']);
      if (
        body === undefined ||
        !/^(application|text)\/\S/.test(type) ||
        /event-stream/.test(type)
      ) {
        return [];
      }
      if (!isJsonType(type)) {
        return [{ ...breach, place: 'Content-Type', message: `${type} is not JSON` }];
      }
      const fault = jsonFault(body);
      if (fault) return [{ ...breach, place: 'body', message: fault }];
      const value = parsed(body.toString());
      if (!isObject(value) || Array.isArray(value)) {
        return [{ ...breach, place: 'body', message: 'is not a GraphQL answer' }];
      }
      return [...envelopeFaults(value), ...(asked ? dataFaults(schema, asked, value) : [])].map(
        (fault) => ({ ...breach, ...fault }),
      );
    },
  };
}

type Place = Pick<Breach, 'place' | 'message'>;

function dataFaults(schema: GraphQLSchema, asked: Asked, answer: Record<string, unknown>): Place[] {
  const { data, errors } = answer;
  if (data !== undefined && data !== null) return shapeFaults(schema, asked, data);
  return errors === undefined ? [{ place: 'data', message: 'is missing, without errors' }] : [];
}

function envelopeFaults({ errors, ...answer }: Record<string, unknown>): Place[] {
  const others = Object.keys(answer).filter((name) => !/^(data|extensions)$/.test(name));
  const unknown = others.map((name) => ({
    place: name,
    message: 'is no member of a GraphQL answer',
  }));
  if (errors === undefined) return unknown;
  const areErrors =
    Array.isArray(errors) &&
    errors.length > 0 &&
    errors.every((each) => isObject(each) && typeof each.message === 'string');
  if (areErrors) return unknown;
  return [...unknown, { place: 'errors', message: 'must be a list of errors with messages' }];
}

/** As a GraphQL request has them; unknown where the document is not in it, or the body is not read. */
function envelopeOf({
  method,
  query,
  request,
  body,
}: Exchange): Record<string, unknown> | 'unknown' {
  if (method === 'GET' || method === 'HEAD') {
    const given = new URLSearchParams(`?${query}`);
    const { variables, ...others } = Object.fromEntries(given);
    if (given.get('extensions')?.includes('persistedQuery')) return 'unknown';
    return { ...others, ...(variables && { variables: parsed(variables) }) };
  }
  if (!isJsonType(request.headers['content-type'] ?? '') || !body) return 'unknown';
  const value = parsed(body.toString());
  if (!isObject(value) || Array.isArray(value)) return {};
  const isPersisted = value.query === undefined && isObject(value.extensions);
  return isPersisted ? 'unknown' : value;
}

/** The kind and name of a GraphQL operation as reports name it. */
export function queryName(operation: OperationDefinitionNode | null | undefined): string {
  if (!operation) return 'graphql';
  const name = operation.name?.value;
  return `${operation.operation}${name ? ` ${name}` : ''}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
