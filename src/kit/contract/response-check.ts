import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Contract } from './contract.ts';
import {
  type HeaderObject,
  isObject,
  type OperationObject,
  type Referable,
  type ResponseObject,
  resolve,
} from './openapi-document.ts';
import type { Route } from './routes.ts';

/** A response as it is held against the contract. */
export type Response = {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The body, parsed; undefined when there is none or it is not JSON. */
  readonly json: unknown;
};

/** What in a response the contract does not allow: status, headers, media type and body. */
export function violations(
  contract: Contract,
  method: string,
  target: string,
  response: Response,
): string[] {
  const { status } = response;
  const route = contract.routes(target.split('?')[0] ?? '')?.route;
  const declared = route
    ? declaredResponse(contract, method, route, status)
    : withoutPath(contract, status);
  if (declared === 'any') return [];
  if (!declared) return [`status ${status} is not declared`];
  return [
    ...headerViolations(contract, declared, response),
    ...bodyViolations(contract, declared, method, response),
  ];
}

function declaredResponse(
  { document }: Contract,
  method: string,
  { operations, methods }: Route,
  status: number,
): ResponseObject | undefined {
  // A 405 is the path's: any operation of it declares it.
  const found = (status === 405 ? methods : [method])
    .map((each) => operations.get(each))
    .map((operation) => operation && responseOf(operation.object, status))
    .find(Boolean);
  return found && resolve<ResponseObject>(document, found);
}

/** By its status, by the range that it is in, or by default. */
function responseOf({ responses }: OperationObject, status: number) {
  return responses[status] ?? responses[`${String(status)[0]}XX`] ?? responses.default;
}

/**
 * What belongs to no operation has no other answer than 404 and 400. No operation can declare their shape; a
 * component may.
 */
function withoutPath({ document }: Contract, status: number): ResponseObject | 'any' | undefined {
  if (status !== 404 && status !== 400) return undefined;
  const problem = document.components?.responses?.NotFound;
  // The document was validated: a component of this kind is a response.
  return isObject(problem) ? resolve(document, problem as ResponseObject) : 'any';
}

function headerViolations(contract: Contract, declared: ResponseObject, response: Response) {
  return Object.entries(declared.headers ?? {}).flatMap(([name, referred]) => {
    const header = resolve<HeaderObject>(contract.document, referred as Referable<HeaderObject>);
    const text = response.headers[name.toLowerCase()];
    if (text === undefined) return header.required ? [`header ${name} is missing`] : [];
    if (!header.schema) return [];
    const { type } = resolve(contract.document, header.schema);
    const value = type === 'integer' ? Number(text) : text;
    return faults(contract.schemas(header.schema), value, `header ${name}`);
  });
}

function bodyViolations(
  contract: Contract,
  declared: ResponseObject,
  method: string,
  response: Response,
): string[] {
  if (!declared.content) return response.text === '' ? [] : ['a body where none is declared'];
  const sent = String(response.headers['content-type']);
  const media = declared.content[sent];
  if (!media) return [`Content-Type ${sent} is not declared`];
  if (method === 'HEAD') return response.text === '' ? [] : ['a body in answer to HEAD'];
  const value = sent.endsWith('json') ? response.json : response.text;
  return media.schema ? faults(contract.schemas(media.schema), value, 'body') : [];
}

function faults(validate: ValidateFunction, value: unknown, what: string): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${what}${instancePath} ${message}`,
  );
}
