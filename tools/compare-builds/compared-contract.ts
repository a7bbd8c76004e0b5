import { readFile } from 'node:fs/promises';
import { buildSchema, type GraphQLSchema } from 'graphql';
// The only import from src, so that the layout of src may change.
import { readContract } from '../../src/kit/contract/contract.ts';

/** A JSON schema with its references replaced by what they name. */
export type Schema = Readonly<Record<string, unknown>>;

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
};

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of its JSON body. */
  readonly body: Schema | undefined;
};

/** Both contracts of this tree, as far as requests are generated from them. */
export type Contracts = {
  readonly operations: readonly Operation[];
  readonly schema: GraphQLSchema;
};

const root = new URL('../../', import.meta.url);

export async function readContracts(): Promise<Contracts> {
  const { document } = await readContract(new URL('openapi.yaml', root));
  const sdl = await readFile(new URL('schema.graphql', root), 'utf8');
  const { paths } = object(inlined(document, document));
  return {
    operations: Object.entries(object(paths)).flatMap(operationsOf),
    schema: buildSchema(sdl),
  };
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

function operationsOf([path, given]: [string, unknown]): Operation[] {
  const item = object(given);
  return METHODS.filter((method) => method in item).map((method) => {
    const operation = object(item[method]);
    const parameters = [item.parameters, operation.parameters].flatMap((each) =>
      Array.isArray(each) ? each : [],
    );
    const content = object(object(operation.requestBody).content);
    const media = content['application/json'];
    return {
      id: String(operation.operationId),
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(parameterOf),
      body: media === undefined ? undefined : object(object(media).schema),
    };
  });
}

function parameterOf(given: unknown): Parameter {
  const { name, in: place, required, schema } = object(given);
  return {
    name: String(name),
    in: String(place),
    isRequired: required === true,
    schema: object(schema),
  };
}

/** Any value as an object whose members are not known. */
export function object(value: unknown): Record<string, unknown> {
  return Object(value);
}

// Schemas that contain themselves end here.
const DEEPEST = 40;

function inlined(document: unknown, value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return {};
  if (Array.isArray(value)) return value.map((each) => inlined(document, each, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = object(value);
  if (typeof $ref === 'string') return inlined(document, named(document, $ref), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, inlined(document, each, depth + 1)]),
  );
}

function named(document: unknown, reference: string): unknown {
  const names = reference.slice(2).split('/');
  return names.reduce<unknown>(
    (at, name) => object(at)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}
