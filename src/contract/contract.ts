import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { parse } from 'yaml';
import { present } from '../errors.ts';
import { type Document, isObject, type Method, resolve } from './document.ts';
import { type Operation, operationsOf } from './operation.ts';
import { createRoutes, type Routes } from './routes.ts';
import { compileSchemas, type Schemas } from './schemas.ts';

/** `openapi.yaml` as data. */
export type Contract = {
  /** The file as it was written. */
  readonly text: string;
  readonly document: Document;
  readonly operations: readonly Operation[];
  readonly routes: Routes;
  readonly schemas: Schemas;
};

/** Reads a contract; one that is broken or inconsistent is refused with a line that says why. */
export async function readContract(file: URL): Promise<Contract> {
  return parseContract(await readFile(file, 'utf8'));
}

export async function parseContract(text: string): Promise<Contract> {
  try {
    const document = await validated(parse(text));
    const operations = operationsOf(document);
    refuseDuplicates(operations.map(({ id }) => id));
    return {
      text,
      document,
      operations,
      routes: createRoutes(operations),
      schemas: compileSchemas(document),
    };
  } catch (error) {
    const [reason] = String(error)
      .replace(/^\w*Error: /, '')
      .split('\n');
    throw new Error(`openapi.yaml is not a valid contract: ${reason}`, { cause: error });
  }
}

/** Says what of a value the contract does not admit as the JSON body of an operation. */
export function bodyFaults(contract: Contract, operationId: string): (value: unknown) => string[] {
  const { document, operations, schemas } = contract;
  const { path, method } = present(operations.find(({ id }) => id === operationId));
  const operation = document.paths[path]?.[method.toLowerCase() as Method];
  const body = resolve(document, present(operation?.requestBody));
  const validate = schemas(present(body.content['application/json']?.schema));
  return (value) => (validate(value) ? [] : faults(validate.errors ?? undefined, 'the body'));
}

async function validated(value: unknown): Promise<Document> {
  if (!isObject(value)) throw new Error('it is not an object');
  const result = await new Validator().validate(structuredClone(value));
  if (!result.valid) throw new Error(faults(result.errors, 'the document').join(', '));
  // The OpenAPI schema, just applied, guarantees the shape.
  return value as unknown as Document;
}

type Faults = Awaited<ReturnType<Validator['validate']>>['errors'];

function faults(errors: Faults, root: string): string[] {
  if (!Array.isArray(errors)) return [String(errors)];
  return errors.map(({ instancePath, message }) => `${instancePath || root} ${message}`);
}

function refuseDuplicates(ids: readonly string[]): void {
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice) throw new Error(`operationId ${twice} is used twice`);
}
