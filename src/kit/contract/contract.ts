import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { present } from '../errors.ts';
import { createLru } from '../lru.ts';
import { bundled, mayReferToFiles, refersToFiles } from './bundle.ts';
import { type ContractSource, type Fail, type Fault, readSource } from './contract-source.ts';
import { toDialect } from './dialect.ts';
import { faultOf, shown } from './document-fault.ts';
import type { Formats } from './formats.ts';
import { checkMediaTypes } from './media-type-check.ts';
import { type Document, isObject } from './openapi-document.ts';
import type { Operation } from './operation.ts';
import { checkedOperations } from './operation-check.ts';
import { checkReferences } from './references.ts';
import { createRoutes, type Routes } from './routes.ts';
import { checkSchemas, refuseDynamic } from './schema-check.ts';
import { type Compile, createSchemas, type Schemas } from './schemas.ts';
import { checkDialects, checkFeatures } from './unserved-features.ts';

/** An OpenAPI description as data. */
export type Contract = Pick<Schemas, 'createCompiler' | 'requestSchemas' | 'formats'> & {
  /** The description as it was written; of several files, their bundle. */
  readonly text: string;
  readonly written: Document;
  /** In the dialect of OpenAPI 3.1. */
  readonly document: Document;
  readonly operations: readonly Operation[];
  readonly routes: Routes;
  /** The validator of a schema of the document, made when it is first asked for. */
  readonly schemas: Compile;
  /** The same for an operation; the validators of operations that are seldom asked for are forgotten. */
  readonly compilerOf: (operation: Operation | undefined, errors?: 'all' | 'first') => Compile;
  /** What is doubtful in it, a line each. */
  readonly warnings: readonly string[];
  /** Refuses a part of the document with a line that says where it stands. */
  readonly fail: Fail;
};

export type ReadOptions = {
  /** Formats of the API's own. */
  readonly formats?: Formats;
  /** Whether what is doubtful, and has one meaning all the same, is a warning instead of an error. */
  readonly lenient?: boolean;
};

/** Reads a contract; one that is broken or inconsistent is refused with a line that says where and why. */
export async function readContract(file: URL, options?: ReadOptions): Promise<Contract> {
  const text = await readFile(file, 'utf8');
  const name = basename(fileURLToPath(file));
  const source = readSource(text, name);
  if (!mayReferToFiles(text) || !refersToFiles(source.value))
    return contractOf(text, source, options);
  if (Object(source.value).$self !== undefined) {
    const message = '"$self" of a description with references to others is not supported';
    source.fail({ path: ['$self'], at: 'key', message });
  }
  const whole = await bundled(file, source.fail);
  return contractOf(whole, readSource(whole, name), options);
}

export async function parseContract(
  text: string,
  file = 'openapi.yaml',
  options?: ReadOptions,
): Promise<Contract> {
  return contractOf(text, readSource(text, file), options);
}

/** The contract of an API without REST. */
export async function emptyContract(title = 'GraphQL API'): Promise<Contract> {
  const document = { openapi: '3.1.0', info: { title, version: '1.0.0' }, paths: {} };
  return { ...(await parseContract(JSON.stringify(document))), text: '' };
}

async function contractOf(
  text: string,
  source: ContractSource,
  { formats = {}, lenient = false }: ReadOptions = {},
): Promise<Contract> {
  const { fail, told } = source;
  const warnings: string[] = [];
  const harmless = (fault: Fault) => void warnings.push(told(fault));
  const doubtful = (fault: Fault) => (lenient ? harmless(fault) : fail(fault));
  const findings = { broken: fail, doubtful, harmless };
  const written = await validated(source);
  // The OpenAPI schema, just applied, guarantees the shape, which the dialect keeps.
  const document = toDialect(written) as unknown as Document;
  // The schema of OpenAPI 3.0 describes schemas too; later ones leave that to JSON Schema.
  const areValid = String(written.openapi).startsWith('3.0');
  checkDialects(written, findings);
  checkFeatures(document, findings);
  checkMediaTypes(document, findings);
  checkSchemas(document, formats, { ...findings, areValid });
  const operations = checkedOperations(document, findings);
  const routes = createRoutes(operations);
  const schemas = createSchemas(document, formats);
  const compilersOf = (errors: 'all' | 'first') =>
    createLru(MOST_COMPILERS, (_: Operation | undefined) => schemas.createCompiler(errors));
  const compilers = { all: compilersOf('all'), first: compilersOf('first') };
  return {
    ...{ text, document, operations, routes, warnings, fail, ...schemas },
    written: written as unknown as Document,
    schemas: schemas.createCompiler(),
    compilerOf: (operation, errors = 'all') => compilers[errors](operation),
  };
}

// So many operations' validators of responses are kept.
const MOST_COMPILERS = 100;

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
  const validate = schemas(present(bodySchema), 'request');
  return (value) => {
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    return errors.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  };
}

async function validated({ value, fail }: ContractSource): Promise<Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) {
    return fail({ path: [], at: 'value', message: `found ${shown(value)}, expected an object` });
  }
  if (value.swagger !== undefined) {
    const message =
      'found Swagger 2.0, expected OpenAPI 3; `npx swagger2openapi <file>` converts it';
    return fail({ path: ['swagger'], at: 'value', message });
  }
  if (typeof value.openapi !== 'string') {
    const found = 'openapi' in value ? shown(value.openapi) : 'no "openapi"';
    const message = `found ${found}, expected text with a version such as 3.1.0`;
    return fail({ path: ['openapi'], at: 'value', message });
  }
  // Its own check of references would copy the document, and take `$ref` in an example for one. It looks at own members,
  // which this object does not have; the schema of OpenAPI is applied to inherited ones as well.
  const { valid } = await new Validator({ ...quickToCompile }).validate(Object.create(value));
  if (!valid) await refuseInvalid(value, fail);
  checkReferences(value, fail);
  return value;
}

// The validator of OpenAPI's schema is used once: what makes it faster takes as long as to compile the rest of it.
const quickToCompile = { validateSchema: false, inlineRefs: false, code: { optimize: false } };

async function refuseInvalid(value: Record<string, unknown>, fail: Fail): Promise<never> {
  // All errors with all that is known of them, which costs 100 ms more than the first.
  const validator = new Validator({ allErrors: true, verbose: true });
  const { errors } = await validator.validate(value);
  const fault = Array.isArray(errors) ? faultOf(errors) : undefined;
  if (fault) return fail(fault);
  checkReferences(value, fail);
  refuseDynamic(value, fail);
  const isVersion = /openapi version/.test(String(errors));
  const message = `found ${shown(value.openapi)}, expected a version such as 3.1.0`;
  return fail({ path: ['openapi'], at: 'value', message: isVersion ? message : String(errors) });
}
