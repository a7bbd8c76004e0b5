// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text
/** One violation of a contract, planted by changing one place in one file. */
export type Mutation = {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
};

export const mutations: readonly Mutation[] = [
  {
    name: 'a create answers 200 instead of 201',
    file: 'src/kit/rest/collection-handlers.ts',
    find: 'status: 201',
    replace: 'status: 200',
  },
  {
    name: 'a delete answers 200 with a body',
    file: 'src/kit/rest/collection-handlers.ts',
    find: 'return { status: 204, headers: {}, body: undefined }',
    replace: "return { status: 200, headers: {}, body: '{}' }",
  },
  {
    name: 'a 405 without Allow',
    file: 'src/kit/rest/validator-error.ts',
    find: '{ headers: { Allow: route.allow } }',
    replace: '{}',
  },
  {
    name: 'a create without Location',
    file: 'src/kit/rest/collection-handlers.ts',
    find: 'Location: `${place}/${record.id}`, ',
    replace: '',
  },
  {
    name: 'a record without one of its fields',
    file: 'src/kit/store/sqlite/sqlite-dialect.ts',
    find: 'columns.map(',
    replace: 'columns.slice(0, 1).map(',
  },
  {
    name: 'a record with a field too many',
    file: 'src/kit/store/sqlite/sqlite-dialect.ts',
    find: "json_object('id', id, ${members.join()})",
    replace: "json_object('id', id, 'version', 1, ${members.join()})",
  },
  {
    name: 'a page one record too long',
    file: 'src/kit/store/collection-piece.ts',
    find: 'LIMIT 1 OFFSET ${limit}',
    replace: 'LIMIT 1 OFFSET ${limit} + 1',
  },
  {
    name: 'a page that starts with the record it should start after',
    file: 'src/kit/store/collection-piece.ts',
    find: 'WHERE id > ${after} AND id < beyond',
    replace: 'WHERE id >= ${after} AND id < beyond',
  },
  {
    name: 'a Link on the last page',
    file: 'src/kit/rest/collection-handlers.ts',
    find: 'const link = next && {',
    replace: 'const link = limit && {',
  },
  {
    name: 'unknown properties are let through',
    file: 'openapi.yaml',
    find: '    BookInput:\n      type: object\n      additionalProperties: false',
    replace: '    BookInput:\n      type: object\n      additionalProperties: true',
  },
  {
    name: 'a swallowed validation: what the validator refuses is carried out',
    file: 'src/kit/rest/validator.ts',
    find: '(error, _request, { locals }, _next) => locals.reject(error)',
    replace:
      '(error, request, { locals }, _next) => error.status === 400 ? locals.resolve(request) : locals.reject(error)',
  },
  {
    name: 'an id in another notation',
    file: 'src/kit/rest/parameter-value.ts',
    find: "types.has('integer') && isDecimal(text)",
    replace: "types.has('integer')",
  },
  {
    name: 'an error in another media type',
    file: 'src/kit/http/reply.ts',
    find: "const JSON_TYPE = 'application/json'",
    replace: "const JSON_TYPE = 'application/problem+json'",
  },
  {
    name: 'an Idempotency-Key is not looked at',
    file: 'src/kit/rest/collection-handlers.ts',
    find: "keyOf(caller, given['idempotency-key'])",
    replace: 'undefined',
  },
  {
    name: 'a stale If-Match is not looked at',
    file: 'src/kit/rest/collection-handlers.ts',
    find: 'records.replace(path.id, body, conditionOf(headers))',
    replace: 'records.replace(path.id, body, undefined)',
  },
  {
    name: 'an ETag that never changes',
    file: 'src/kit/store/collection.ts',
    find: 'version = version + 1',
    replace: 'version = version',
  },
  {
    name: 'an id given twice',
    file: 'src/api/migrations/sqlite/001-collections.sql',
    find: 'CREATE TABLE books (\n  id      INTEGER PRIMARY KEY AUTOINCREMENT',
    replace: 'CREATE TABLE books (\n  id      INTEGER PRIMARY KEY',
  },
  {
    name: 'a greeting that minds the case of the code',
    file: 'src/api/greeting.ts',
    find: 'byCode.get(lang.toLowerCase())',
    replace: 'byCode.get(lang)',
  },
  {
    name: 'a null in a non-null GraphQL field',
    file: 'src/kit/graphql/record-fields.ts',
    find: 'return record[field];',
    replace: 'return null as never;',
  },
  {
    name: 'a GraphQL field loosened to nullable',
    file: 'schema.graphql',
    find: '  pages: Int!',
    replace: '  pages: Int',
  },
  {
    name: 'a bound of an argument that is not held',
    file: 'schema.graphql',
    find: 'title: String! @bounds(minLength: 1, maxLength: 200)\n  ): Todo!',
    replace: 'title: String!\n  ): Todo!',
  },
  {
    name: 'an unexpected failure that is not masked',
    file: 'src/kit/graphql/graphql-errors.ts',
    find: '  return unexpected;',
    replace: '  return { ...unexpected, message };',
  },
  {
    name: 'a read for each parent instead of one for all',
    file: 'src/kit/graphql/context.ts',
    find: 'groups.get(id) ?? []);\n    });',
    replace: 'groups.get(id) ?? []);\n    }, { batch: false });',
  },
];
