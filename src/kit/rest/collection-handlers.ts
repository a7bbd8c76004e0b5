import { ApiError, invalid } from '../errors.ts';
import type { Caller } from '../http/authentication.ts';
import { andThen } from '../maybe-promise.ts';
import type { Collection, Identified, Key, Range, Stored } from '../store/store.ts';
import { patchRecord } from './collection-patch.ts';
import { conditionOf, entityTag, evaluated, type Preconditions } from './etag.ts';
import type { CheckOperation, Context } from './handler.ts';
import { askedBy, nextQuery, type Query, rangeOf, requireListable } from './list-question.ts';

type Id = { readonly path: { readonly id: number } };
type Fields<Input> = { readonly body: Input };
type Replacement<Input> = { readonly body: Input & { readonly id?: number } };
type Patch = { readonly body: unknown };
type Asked = { readonly query: Query };
type IdempotencyKey = { readonly headers: { readonly 'idempotency-key'?: string } };
type Conditional = { readonly headers: Preconditions };

/** The handlers that every collection shares; `place` is the path of the collection, such as `/things`. */
export function collectionHandlers<R extends Identified, Input>(
  place: string,
  records: Collection<R, Input>,
) {
  function list({ query }: Asked) {
    // The fields of the question are those of the record: the table was compared with the contract.
    const range = rangeOf(query) as Range<R>;
    return andThen(
      askedBy(query, () => records.list(range)),
      ({ body, next }) => {
        const link = next && { Link: `<${place}?${nextQuery(query, next)}>; rel="next"` };
        return { status: 200, headers: { ...link }, body } as const;
      },
    );
  }

  const checkOperation: CheckOperation = (operation, document) =>
    requireListable(records.listable, operation, document);

  return {
    list: Object.assign(list, { checkOperation }),

    async create(
      { body, headers: given }: Fields<Input> & IdempotencyKey,
      { authorize }: Context<'write'>,
    ) {
      const caller = await authorize('write');
      const key = keyOf(caller, given['idempotency-key']);
      const record = await records.create(body, key);
      const headers = { Location: `${place}/${record.id}`, ETag: entityTag(record.version) };
      return { status: 201, headers, body: record.json } as const;
    },

    get({ path: { id }, headers }: Id & Conditional) {
      return andThen(records.get(id), (record) => {
        const { version } = found(record);
        const outcome = evaluated(headers, version);
        if (outcome === 'failed') throw new ApiError('precondition-failed');
        if (outcome === 'given') return ok(found(record));
        return { status: 304, headers: { ETag: entityTag(version) }, body: undefined } as const;
      });
    },

    async replace(input: Id & Conditional & Replacement<Input>, { authorize }: Context<'write'>) {
      const { path, headers, body } = input;
      if (body.id !== undefined && body.id !== path.id) {
        throw invalid('/body/id', 'must be the id in the path');
      }
      await authorize('write');
      return ok(found(await records.replace(path.id, body, conditionOf(headers))));
    },

    /** Takes `application/merge-patch+json`. */
    async patch(input: Id & Conditional & Patch, { authorize, patched }: Context<'write'>) {
      const { id } = Object(input.body);
      if (id !== undefined && id !== input.path.id) {
        throw invalid('/body/id', 'must be the id in the path');
      }
      await authorize('write');
      return ok(found(await patchRecord(records, input, patched)));
    },

    async remove({ path: { id }, headers }: Id & Conditional, { authorize }: Context<'write'>) {
      await authorize('write');
      found((await records.remove(id, conditionOf(headers))) || undefined);
      return { status: 204, headers: {}, body: undefined } as const;
    },
  };
}

// Callers without a name would share one namespace, and so be given each other's answers.
function keyOf(caller: Caller, key: string | undefined): Key | undefined {
  if (key === undefined) return undefined;
  if (caller !== undefined) return { caller, key };
  throw invalid('/headers/idempotency-key', 'needs a token that names its holder in "sub"');
}

function ok<R>({ version, json }: Stored<R>) {
  return { status: 200, headers: { ETag: entityTag(version) }, body: json } as const;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ApiError('not-found', { detail: 'No record has this id.' });
  return value;
}
