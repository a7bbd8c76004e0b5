import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { present } from '../errors.ts';
import { type ContractSource, type Fail, readSource } from './contract-source.ts';
import { faultOf, shown } from './document-fault.ts';
import { type Document, isObject, methods } from './openapi-document.ts';
import { type Operation, operationOf } from './operation.ts';
import { checkReferences } from './references.ts';
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

/** Reads a contract; one that is broken or inconsistent is refused with a line that says where and why. */
export async function readContract(file: URL): Promise<Contract> {
  return parseContract(await readFile(file, 'utf8'), basename(fileURLToPath(file)));
}

export async function parseContract(text: string, file = 'openapi.yaml'): Promise<Contract> {
  const source = readSource(text, file);
  const { fail } = source;
  const document = await validated(source);
  const schemas = compileSchemas(document, fail);
  const operations = servable(document, fail);
  const routes = createRoutes(operations, (path, message) =>
    fail({ path: ['paths', path], at: 'key', message }),
  );
  return { text, document, operations, routes, schemas };
}

/** The contract of an API without REST. */
export async function emptyContract(title = 'GraphQL API'): Promise<Contract> {
  const document = { openapi: '3.1.0', info: { title, version: '1.0.0' }, paths: {} };
  return { ...(await parseContract(JSON.stringify(document))), text: '' };
}

/** Tells one pair of contracts from another: `cat openapi.yaml schema.graphql | sha256sum`. */
export function contractDigest(openapi: string, sdl: string): string {
  return createHash('sha256').update(openapi).update(sdl).digest('hex');
}

/** Says what of a value the contract does not admit as the JSON body of an operation. */
export function bodyFaults(
  { operations, schemas }: Contract,
  operationId: string,
): (value: unknown) => string[] {
  const { bodySchema } = present(operations.find(({ id }) => id === operationId));
  const validate = schemas(present(bodySchema));
  return (value) => {
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    return errors.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  };
}

async function validated({ value, fail }: ContractSource): Promise<Document> {
  if (!isObject(value) || Array.isArray(value)) {
    return fail({ path: [], at: 'value', message: `found ${shown(value)}, expected an object` });
  }
  if (typeof value.openapi !== 'string') {
    const found = 'openapi' in value ? shown(value.openapi) : 'no "openapi"';
    const message = `found ${found}, expected text with a version such as 3.1.0`;
    return fail({ path: ['openapi'], at: 'value', message });
  }
  const { valid } = await new Validator().validate(structuredClone(value));
  if (!valid) await refuseInvalid(value, fail);
  checkReferences(value, fail);
  // The OpenAPI schema, just applied, guarantees the shape.
  return value as unknown as Document;
}

async function refuseInvalid(value: Record<string, unknown>, fail: Fail): Promise<never> {
  // All errors with all that is known of them, which costs 100 ms more than the first.
  const validator = new Validator({ allErrors: true, verbose: true });
  const { errors } = await validator.validate(structuredClone(value));
  const fault = Array.isArray(errors) ? faultOf(errors) : undefined;
  if (fault) return fail(fault);
  checkReferences(value, fail);
  const isVersion = /openapi version/.test(String(errors));
  const message = `found ${shown(value.openapi)}, expected a version such as 3.1.0`;
  return fail({ path: ['openapi'], at: 'value', message: isVersion ? message : String(errors) });
}

/** The operations; one that the server cannot serve as it is written is refused where it stands. */
function servable(document: Document, fail: Fail): Operation[] {
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods.filter((each) => item[each])) {
      const place = ['paths', path, method];
      const operation = attempt(
        () => operationOf(document, path, method),
        (message) => fail({ path: place, at: 'key', message }),
      );
      const other = operations.get(operation.id);
      if (other) {
        const found = `the operationId "${other.id}" of ${other.method} ${other.path}`;
        const message = `found ${found}, expected one of its own`;
        fail({ path: [...place, 'operationId'], at: 'value', message });
      }
      operations.set(operation.id, operation);
    }
  }
  return [...operations.values()];
}

function attempt<T>(make: () => T, refuse: (message: string) => never): T {
  try {
    return make();
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}
