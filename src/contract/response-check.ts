import type { ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Contract } from './contract.ts';
import {
  type HeaderObject,
  type Method,
  type OperationObject,
  type Referable,
  type ResponseObject,
  resolve,
} from './document.ts';

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
  const declared = declaredResponse(contract, method, target, response.status);
  if (!declared) return [`status ${response.status} is not declared`];
  return [
    ...headerViolations(contract, declared, response),
    ...bodyViolations(contract, declared, method, response),
  ];
}

function declaredResponse(
  contract: Contract,
  method: string,
  target: string,
  status: number,
): ResponseObject | undefined {
  const { document } = contract;
  const [path = ''] = target.split('?');
  const route = contract.routes(path)?.route;
  // What belongs to no operation has no other answer than these two.
  if (!route) return status === 404 || status === 400 ? problem(contract) : undefined;
  const item = document.paths[route.path];
  const wanted = (method === 'HEAD' ? 'GET' : method).toLowerCase() as Method;
  // A 405 is the path's: any operation of it declares it.
  const operations = [item?.[wanted], ...(status === 405 ? others(item) : [])];
  const found = operations.map((operation) => operation?.responses[status]).find(Boolean);
  return found && resolve<ResponseObject>(document, found);
}

function others(item: object | undefined): OperationObject[] {
  return Object.values(item ?? {}).filter((value) => 'responses' in value);
}

function problem({ document }: Contract): ResponseObject {
  return resolve<ResponseObject>(document, { $ref: '#/components/responses/NotFound' });
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
  return media.schema ? faults(contract.schemas(media.schema), data(sent, response), 'body') : [];
}

/** What the body says; the schema of a YAML body is that of its data. */
function data(mediaType: string, { json, text }: Response): unknown {
  if (mediaType.endsWith('json')) return json;
  return mediaType === 'application/yaml' ? parse(text) : text;
}

function faults(validate: ValidateFunction, value: unknown, what: string): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${what}${instancePath} ${message}`,
  );
}
