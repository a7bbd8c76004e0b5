import type { ApiCall } from '../../sdk/api-call.ts';
import type { Group } from '../../sdk/groups.ts';
import type { Model } from '../../sdk/model.ts';
import { iterationName } from '../../sdk/names.ts';
import { nameOf, type Schema, typesOf } from '../../sdk/schema.ts';
import type { NamedOperation } from './graphql-operations.ts';

/** What the examples of a README are made of: one group that has it all, and the contract's examples. */
export type Showcase = {
  readonly group: string;
  readonly create: ApiCall;
  readonly list: ApiCall;
  readonly get: ApiCall;
  readonly replace: ApiCall;
  readonly remove: ApiCall;
  readonly iterate: string;
  /** What is created, and the record that comes back. */
  readonly input: Example;
  readonly created: Example;
  /** The record that is read by its id. */
  readonly record: Example;
  readonly id: number;
  readonly page: readonly Example[];
  readonly limit: number;
  /** A field of the record that is a number, so that one can be added to it. */
  readonly counted: string;
  readonly missing: { readonly id: number; readonly detail: string };
  readonly etag: string;
  readonly query: NamedOperation;
};

type Example = Readonly<Record<string, unknown>>;

/** Undefined where the contracts have not all of it. */
export function showcaseOf(
  model: Model,
  operations: readonly NamedOperation[],
): Showcase | undefined {
  const found = model.groups.flatMap((group) => completeGroup(group) ?? [])[0];
  const query = operations.find(
    ({ kind, variables }) => kind === 'query' && Object.keys(variables).length > 0,
  );
  if (!found || !query) return undefined;
  const { group, create, list, get, replace, remove } = found;
  const schemaOf = (schema: Schema | boolean | undefined): Schema => {
    const own: Schema = typeof schema === 'object' ? schema : {};
    return model.schemas[nameOf(own) ?? ''] ?? own;
  };
  const record = Object(get.replies[0]?.payload?.example);
  const { properties = {} } = schemaOf(get.replies[0]?.payload?.schema);
  const integer = Object.keys(Object(create.body?.example)).find((name) =>
    typesOf(schemaOf(properties[name])).includes('integer'),
  );
  const page = list.replies[0]?.payload?.example;
  const parts = {
    id: Number(get.inPath[0]?.example),
    limit: Number(list.options.find(({ name }) => name === 'limit')?.example),
    detail: Object(get.refusals.find(({ status }) => status === 404)?.example).detail,
  };
  const isWhole = parts.id > 0 && parts.limit > 0 && parts.detail && integer && Array.isArray(page);
  const isAnswered = query.answers !== null && get.inPath.length === 1 && list.inPath.length === 0;
  const isNamed = [
    create.body,
    replace.body,
    get.replies[0]?.payload,
    create.replies[0]?.payload,
  ].every((each) => nameOf(each?.schema ?? {}) !== undefined);
  if (!isWhole || !isAnswered || !isNamed || create.inPath.length > 0) return undefined;
  return {
    group: group.name,
    create,
    list,
    get,
    replace,
    remove,
    iterate: iterationName(list.name),
    input: Object(create.body?.example),
    created: Object(create.replies[0]?.payload?.example),
    record,
    id: parts.id,
    page,
    limit: parts.limit,
    counted: integer,
    missing: { id: Number.MAX_SAFE_INTEGER, detail: parts.detail },
    etag: '"1"',
    query,
  };
}

function completeGroup(group: Group) {
  const { calls } = group;
  const create = calls.find(({ method, body }) => method === 'POST' && body);
  const list = calls.find(({ pageOf }) => pageOf);
  const get = calls.find(({ writtenBackBy }) => writtenBackBy);
  const replace = calls.find(({ operationId }) => operationId === get?.writtenBackBy);
  const remove = calls.find(({ method }) => method === 'DELETE');
  if (!create || !list || !get || !replace || !remove) return undefined;
  return { group, create, list, get, replace, remove };
}
