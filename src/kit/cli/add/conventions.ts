import {
  type Document,
  isObject,
  type OperationObject,
  type PathItem,
  resolve,
} from '../../contract/openapi-document.ts';

type Members = Record<string, unknown>;

/** What an operation of a collection has beside what is its own. */
type Convention = {
  readonly parameters: readonly unknown[];
  /** Of the answer to a success. */
  readonly headers: Members;
  /** The other responses, by status. */
  readonly failures: Members;
};

/** How the collections of a contract are written. */
export type Conventions = {
  /** Whether there was no collection to follow. */
  readonly isOwn: boolean;
  readonly reading: { readonly security?: unknown };
  readonly writing: { readonly security?: unknown };
  /** The path parameter. */
  readonly id: unknown;
  readonly listed: Convention;
  readonly created: Convention;
  readonly got: Convention;
  readonly replaced: Convention;
  readonly deleted: Convention;
};

/** Those of the first collection of the contract: its errors, parameters, headers and security; else the kit's. */
export function conventionsOf(document: Document): Conventions {
  const [found] = Object.keys(document.paths).flatMap((path) => {
    const [all, one] = [document.paths[path], document.paths[`${path}/{id}`]];
    return all?.get && all.post && one?.get && one.put && one.delete ? [{ all, one }] : [];
  });
  if (!found) return ownConventions(document);
  const { all, one } = found;
  const of = (operation: OperationObject | undefined) => conventionOf(document, operation);
  return {
    isOwn: false,
    reading: securityOf(all.get),
    writing: securityOf(all.post),
    id: idOf(document, one) ?? ownId,
    listed: of(all.get),
    created: of(all.post),
    got: of(one.get),
    replaced: of(one.put),
    deleted: of(one.delete),
  };
}

function conventionOf(document: Document, operation: OperationObject | undefined): Convention {
  const { parameters = [], responses = {} } = Object(operation) as Partial<OperationObject>;
  const statuses = Object.entries(responses);
  const [, success = {}] = statuses.find(([status]) => status.startsWith('2')) ?? [];
  const headers = Object(resolve(document, success)).headers ?? {};
  return {
    parameters: parameters.filter((each) => isShared(document, each)),
    headers: Object.fromEntries(
      Object.entries(headers).filter(([, header]) => isObject(header) && '$ref' in header),
    ),
    failures: Object.fromEntries(statuses.filter(([status]) => !status.startsWith('2'))),
  };
}

/** Whether a parameter is not about the fields of one collection. */
function isShared(document: Document, parameter: unknown): boolean {
  if (!isObject(parameter) || typeof parameter.$ref !== 'string') return false;
  const { name } = Object(resolve(document, parameter as { $ref: string }));
  return /^(limit|after|if-match|if-none-match|idempotency-key)$/i.test(String(name));
}

function idOf(document: Document, { parameters = [] }: PathItem): unknown {
  return parameters.find((each) => {
    const { name, in: place, schema } = Object(resolve(document, each));
    const { type } = Object(schema && resolve(document, schema));
    return name === 'id' && place === 'path' && type === 'integer';
  });
}

function securityOf(operation: OperationObject | undefined): { security?: unknown } {
  return operation?.security ? { security: operation.security } : {};
}

const problem = (description: string, headers?: Members) => ({
  description,
  ...(headers && { headers }),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
    },
  },
});

const integer = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const etag = {
  ETag: { description: 'The version.', required: true, schema: text(100), example: '"1"' },
};
const conditions = ['If-Match', 'If-None-Match'].map((name) => ({
  ...{ name, in: 'header', required: false, schema: text(1000) },
  description: 'Entity tags, or `*`.',
}));
const refused = {
  400: problem('The request does not satisfy the contract.'),
  405: problem('The path does not answer this method.'),
  500: problem('The server failed.'),
  503: problem('The server cannot answer now.'),
};
const ofOne = {
  404: problem('No record has this id.'),
  412: problem('The version is not one that the conditions allow.'),
  ...refused,
};
const withBody = { 413: problem('The body is too large.') };

const ownId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Which one.',
  schema: integer,
  example: 2,
};

const own: Conventions = {
  isOwn: true,
  ...{ reading: {}, writing: {} },
  id: ownId,
  listed: {
    parameters: [
      {
        ...{ name: 'limit', in: 'query', description: 'The most that are wanted.', example: 2 },
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 1000 },
      },
      {
        ...{ name: 'after', in: 'query', description: 'The id before the page.', example: 0 },
        schema: { ...integer, minimum: 0 },
      },
    ],
    headers: {},
    failures: refused,
  },
  created: {
    parameters: [],
    headers: {
      Location: {
        description: 'Where it is.',
        required: true,
        schema: text(200),
        example: '/things/4',
      },
      ...etag,
    },
    failures: { ...refused, ...withBody },
  },
  got: {
    parameters: conditions,
    headers: etag,
    failures: { 304: { description: 'It is still that version.', headers: etag }, ...ofOne },
  },
  replaced: { parameters: conditions, headers: etag, failures: { ...ofOne, ...withBody } },
  deleted: { parameters: conditions, headers: {}, failures: ofOne },
};

/** The kit's; operations that need credentials say what they answer without them. */
function ownConventions(document: Document): Conventions {
  const { security = [] } = Object(document);
  if (security.length === 0) return own;
  const secured = (convention: Convention): Convention => {
    const refusals = {
      401: problem('Credentials are missing.'),
      403: problem('It is not allowed.'),
    };
    return { ...convention, failures: { ...convention.failures, ...refusals } };
  };
  const { listed, created, got, replaced, deleted } = own;
  return {
    ...own,
    ...{ listed: secured(listed), created: secured(created), got: secured(got) },
    ...{ replaced: secured(replaced), deleted: secured(deleted) },
  };
}

/** The schema of the kit's errors, where the contract has none of this name. */
export function ownProblem({ components }: Document): Members {
  if (Object.hasOwn(Object(components?.schemas), 'Problem')) return {};
  const line = text(500);
  const errors = {
    type: 'array',
    maxItems: 20,
    items: {
      ...{ type: 'object', additionalProperties: false, required: ['path', 'message'] },
      properties: { path: line, message: line },
    },
  };
  return {
    Problem: {
      description: 'A failure, with the members of RFC 9457.',
      ...{ type: 'object', additionalProperties: false },
      required: ['type', 'title', 'status', 'detail'],
      properties: {
        ...{ type: line, title: line },
        status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599 },
        ...{ detail: line, errors },
      },
    },
  };
}
