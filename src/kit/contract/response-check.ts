import type { Contract } from './contract.ts';
import { TooLong, type Validate } from './counted-validate.ts';
import { declaredFor, isJsonType } from './media-type.ts';
import {
  type HeaderObject,
  isObject,
  type Referable,
  type ResponseObject,
  resolve,
} from './openapi-document.ts';
import type { Operation } from './operation.ts';
import type { Route } from './routes.ts';

/** A response as it is held against the contract. */
export type Response = {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Undefined where the body is not looked at. */
  readonly text: string | undefined;
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
  const found = route ? declaredIn(route, method, status) : withoutPath(contract, status);
  if (found) {
    const { declared, operation } = found;
    // A description alone says nothing of the problem that the kit tells it with.
    if (!declared.content && isProblem(response)) return [];
    return [
      ...headerViolations(contract, operation, declared, response),
      ...bodyViolations(contract, operation, declared, method, response),
    ];
  }
  // OpenAPI 3.1 lets an operation say nothing of its responses.
  if (route?.operations.get(method)?.responses.size === 0) return [];
  const isKits = isProblem(response) || (!route && (status === 404 || status === 400));
  return isKits ? [] : [`status ${status} is not declared`];
}

type Declared = {
  readonly declared: ResponseObject;
  /** Undefined where no operation declares it. */
  readonly operation: Operation | undefined;
};

function declaredIn(
  { operations, methods }: Route,
  method: string,
  status: number,
): Declared | undefined {
  // A 405 is the path's: any operation of it declares it.
  for (const each of status === 405 ? methods : [method]) {
    const operation = operations.get(each);
    const declared = operation && responseOf(operation, status);
    if (declared) return { declared, operation };
  }
  return undefined;
}

/** By its status, by the range that it is in, or by default. */
export function responseOf({ responses }: Operation, status: number): ResponseObject | undefined {
  const range = `${String(status)[0]}XX`;
  return responses.get(String(status)) ?? responses.get(range) ?? responses.get('default');
}

/** No operation can declare the shape of what belongs to none; a component may. */
function withoutPath({ document }: Contract, status: number): Declared | undefined {
  if (status !== 404 && status !== 400) return undefined;
  const problem = document.components?.responses?.NotFound;
  if (!isObject(problem)) return undefined;
  // The document was validated: a component of this kind is a response.
  return { declared: resolve(document, problem as ResponseObject), operation: undefined };
}

// What the kit may answer to any request, declared or not.
const KITS = new Set([400, 401, 403, 404, 405, 406, 408, 413, 415, 429, 431, 500, 503]);

/** What a contract does not declare and the kit must say is a problem in the media type of RFC 9457. */
function isProblem({ status, headers }: Response): boolean {
  return KITS.has(status) && headers['content-type'] === 'application/problem+json';
}

function headerViolations(
  contract: Contract,
  operation: Operation | undefined,
  declared: ResponseObject,
  response: Response,
): string[] {
  return Object.entries(declared.headers ?? {}).flatMap(([name, referred]) => {
    const header = resolve<HeaderObject>(contract.document, referred as Referable<HeaderObject>);
    const text = response.headers[name.toLowerCase()];
    if (text === undefined) return header.required ? [`header ${name} is missing`] : [];
    if (!header.schema || name.toLowerCase() === 'content-type') return [];
    const validate = contract.compilerOf(operation)(header.schema);
    // A number, a boolean, a list, or else the text.
    const isAdmitted = readingsOf(String(text)).some((value) => isValid(validate, value));
    return isAdmitted ? [] : faults(validate, text, `header ${name}`);
  });
}

function readingsOf(text: string): unknown[] {
  const items = text.split(',').map((item) => item.trim());
  const numbers = text.trim() === '' ? [] : [Number(text)];
  const flags = text === 'true' ? [true] : text === 'false' ? [false] : [];
  const lists = [items, items.map((item) => (item === '' ? item : Number(item)))];
  return [...numbers, ...flags, ...lists];
}

function bodyViolations(
  contract: Contract,
  operation: Operation | undefined,
  { content }: ResponseObject,
  method: string,
  response: Response,
): string[] {
  if (!content || Object.keys(content).length === 0) {
    return response.text ? ['a body where none is declared'] : [];
  }
  const sent = String(response.headers['content-type']);
  const type = declaredFor(Object.keys(content), sent);
  if (type === undefined) return [`Content-Type ${sent} is not declared`];
  if (method === 'HEAD') return response.text ? ['a body in answer to HEAD'] : [];
  if (response.text === undefined) return [];
  const schema = content[type]?.schema ?? true;
  const value = isJsonType(sent) ? response.json : response.text;
  // The schema of another type is of the data in the text.
  if (!isJsonType(sent) && !sent.startsWith('text/')) return [];
  const errors = response.text.length > LONG ? 'first' : 'all';
  return faults(contract.compilerOf(operation, errors)(schema), value, 'body');
}

/** As many faults of a body are told. */
const MOST_FAULTS = 100;
// Ajv copies the list of errors for each item that has one: a list of 130,000 took 9 s of CPU. Of longer bodies the
// first fault is told.
const LONG = 20_000;

function faults(validate: Validate, value: unknown, what: string): string[] {
  if (isValid(validate, value)) return [];
  return (validate.errors ?? [])
    .slice(0, MOST_FAULTS)
    .map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
}

/** What takes too long to validate is not judged. */
function isValid(validate: Validate, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof TooLong) return true;
    throw error;
  }
}
