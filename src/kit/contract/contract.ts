import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { present } from '../errors.ts';
import { createLru } from '../lru.ts';
import { bundled } from './bundle.ts';
import type { CheckCache } from './check-cache.ts';
import { contractBytes } from './contract-file.ts';
import {
  type ContractSource,
  contractText,
  type Fail,
  type Fault,
  failing,
  readSource,
} from './contract-source.ts';
import { toDialect } from './dialect.ts';
import { withoutExtensions } from './document-shape.ts';
import type { Formats } from './formats.ts';
import type { Document } from './openapi-document.ts';
import type { Operation } from './operation.ts';
import { checkedOperations } from './operation-check.ts';
import { decodeReferences } from './references.ts';
import { createRoutes, type Routes } from './routes.ts';
import { type Compile, createSchemas, type Schemas } from './schemas.ts';

/** An OpenAPI description as data. */
export type Contract = Schemas & {
  /** The description as it was written; of several files, their bundle. */
  readonly text: string;
  /** Tells the text, followed by another one, from others: SHA-256 in hex. */
  readonly digestWith: (other: string) => string;
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
  /** Tells where a fault is; without it, in the text. */
  readonly told?: ContractSource['told'];
  /** Where it knows the contract, the contract is read and not checked. */
  readonly checks?: CheckCache | undefined;
};

/** Reads a contract; one that is broken or inconsistent is refused with a line that says where and why. */
export async function readContract(file: URL, options?: ReadOptions): Promise<Contract> {
  const bytes = await contractBytes(file);
  const name = basename(fileURLToPath(file));
  const text = contractText(bytes, name);
  const source = readSource(text, name);
  const whole = await bundled(file, text, source);
  if (!whole) {
    // To hash a text takes longer than to hash its bytes: 30 ms more for GitHub's description.
    const hash = createHash('sha256').update(bytes);
    const digestWith = (other: string) => hash.copy().update(other).digest('hex');
    return contractOf({ ...source, text, digestWith }, options);
  }
  return parseContract(whole.text, name, { ...options, told: whole.told });
}

export async function parseContract(
  text: string,
  file = 'openapi.yaml',
  options?: ReadOptions,
): Promise<Contract> {
  const digestWith = (other: string) => contractDigest(text, other);
  const source = readSource(text, file);
  const told = options?.told ?? source.told;
  return contractOf({ ...source, fail: failing(told), told, text, digestWith }, options);
}

/** The contract of an API without REST. */
export async function emptyContract(title = 'GraphQL API'): Promise<Contract> {
  const document = { openapi: '3.1.0', info: { title, version: '1.0.0' }, paths: {} };
  const contract = await parseContract(JSON.stringify(document));
  return { ...contract, text: '', digestWith: (other) => contractDigest('', other) };
}

async function contractOf(
  source: ContractSource & Pick<Contract, 'text' | 'digestWith'>,
  { formats = {}, lenient = false, checks }: ReadOptions = {},
): Promise<Contract> {
  const { file, text, digestWith, fail, told } = source;
  if (/%[0-9a-f]{2}/i.test(text)) decodeReferences(source.value);
  const names = Object.keys(formats).toSorted();
  const known = checks?.({
    ...{ kind: 'openapi', digest: digestWith(''), file, lenient, formats: names },
  });
  const warnings = [...(known?.warnings ?? [])];
  const harmless = (fault: Fault) => {
    if (!known?.warnings) warnings.push(told(fault));
  };
  const doubtful = (fault: Fault) => (lenient ? harmless(fault) : fail(fault));
  const findings = { broken: fail, doubtful, harmless };
  // Loaded only where it is used.
  const check = known?.warnings ? undefined : await import('./document-check.ts');
  await check?.checkWritten(source, text);
  // That guarantees the shape, which the dialect keeps.
  const written = withoutExtensions(source.value as Record<string, unknown>);
  const document = toDialect(written) as unknown as Document;
  check?.checkDocument(written, document, formats, findings);
  const operations = checkedOperations(document, findings);
  if (check) known?.keep(warnings);
  const routes = createRoutes(operations);
  const schemas = createSchemas(document, formats);
  const compilersOf = (errors: 'all' | 'first') =>
    createLru(MOST_COMPILERS, (_: Operation | undefined) => schemas.createCompiler(errors));
  const compilers = { all: compilersOf('all'), first: compilersOf('first') };
  return {
    ...{ text, digestWith, document, operations, routes, warnings, fail, ...schemas },
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
  // A body without a schema may be anything.
  const { bodySchema = {} } = present(operations.find(({ id }) => id === operationId));
  return (value) => {
    const validate = schemas(bodySchema, 'request');
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    return errors.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  };
}
