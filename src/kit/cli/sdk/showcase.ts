import type { ApiCall } from './api-call.ts';
import type { NamedOperation } from './graphql-operations.ts';
import type { Group, Model } from './model.ts';
import { iterationName } from './names.ts';
import { typesOf } from './schema.ts';

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

export function showcaseOf(model: Model, operations: readonly NamedOperation[]): Showcase {
  const found = model.groups.flatMap((group) => completeGroup(group) ?? [])[0];
  const query = operations.find(
    ({ kind, variables }) => kind === 'query' && Object.keys(variables).length > 0,
  );
  if (!found || !query) throw new Error('the contracts have nothing to show in a README');
  const { group, create, list, get, replace, remove } = found;
  const record = Object(get.replies[0]?.payload?.example);
  const properties = Object(model.schemas[recordName(get)]).properties ?? {};
  const integer = Object.keys(Object(create.body?.example)).find((name) =>
    typesOf(resolved(model, properties[name])).includes('integer'),
  );
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
    id: Number(get.inPath[0]?.example),
    page: (list.replies[0]?.payload?.example ?? []) as Example[],
    limit: Number(list.options.find(({ name }) => name === 'limit')?.example),
    counted: integer ?? '',
    missing: {
      id: Number.MAX_SAFE_INTEGER,
      detail: Object(get.refusals.find(({ status }) => status === 404)?.example).detail,
    },
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

function recordName(call: ApiCall): string {
  return String(call.replies[0]?.payload?.schema.$ref).split('/').slice(-1).join();
}

function resolved(model: Model, schema: object) {
  const name = String(Object(schema).$ref ?? '')
    .split('/')
    .slice(-1)
    .join();
  return model.schemas[name] ?? schema;
}
