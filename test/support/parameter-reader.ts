import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Document, ParameterObject } from '../../src/kit/contract/openapi-document.ts';
import { operationsOf } from '../../src/kit/contract/operation.ts';
import { createRoutes } from '../../src/kit/contract/routes.ts';
import { present } from '../../src/kit/errors.ts';
import type { Exchange } from '../../src/kit/http/exchange.ts';
import { createParameters, type ParameterValues } from '../../src/kit/rest/parameters.ts';

/** A parameter without its name, with any schema of JSON Schema. */
export type Unnamed = Omit<ParameterObject, 'name' | 'schema' | 'content'> & {
  readonly schema?: unknown;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
};
export type Sent = {
  readonly path?: string;
  readonly query?: string;
  readonly header?: string | string[];
  readonly cookie?: string;
};

const sections = { query: 'query', header: 'headers', path: 'path', cookie: 'cookies' } as const;

/** Reads requests by a contract with one operation that has one parameter, `p`: its value. */
export function readerOf(parameter: Unnamed, more: object = {}): (sent: Sent) => unknown {
  const read = valuesReaderOf(parameter, more);
  return (sent) => read(sent)[sections[parameter.in]].p;
}

/** The same: the values of all places. */
export function valuesReaderOf(
  parameter: Unnamed,
  more: object = {},
): (sent: Sent) => ParameterValues {
  const path = parameter.in === 'path' ? '/x/{p}' : '/x';
  const operation = {
    operationId: 'x',
    parameters: [{ name: 'p', required: parameter.in === 'path', ...parameter }],
    responses: {},
    ...more,
  };
  // As much of a document as is read.
  const document = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: { [path]: { get: operation } },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'api_key' },
        head: { type: 'apiKey', in: 'header', name: 'X-Key' },
        token: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Whole: { type: 'integer' }, Named: { properties: { a: { type: 'integer' } } } },
    },
  } as unknown as Document;
  const operations = operationsOf(document);
  const routes = createRoutes(operations);
  const read = createParameters(document, present(operations[0]));
  return (sent) => {
    const request = new IncomingMessage(new Socket());
    if (sent.header !== undefined) Object.assign(request.headers, { p: sent.header });
    if (sent.cookie !== undefined) request.headers.cookie = sent.cookie;
    const target = sent.path === undefined ? '/x' : `/x/${sent.path}`;
    const match = routes(target);
    // As much of an exchange as is read.
    return read({ request, match, path: target, query: sent.query ?? '' } as Exchange);
  };
}

/** The errors that a reading is refused with; what is read where it is not. */
export function refusal(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return Object(error).errors;
  }
}
