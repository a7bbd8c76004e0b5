import { ApiError } from '../errors.ts';
import { whenThere } from '../store/soon.ts';
import type { Collection, Stored } from '../store/store.ts';
import { entityTag, isNamed, matchingVersions } from './entity-tag.ts';
import type { Context } from './operation.ts';

type Id = { readonly path: { readonly id: number } };
type Fields<R> = { readonly body: Omit<R, 'id'> };
type Page = { readonly query: { readonly limit?: number; readonly after?: number } };
type IdempotencyKey = { readonly headers: { readonly 'idempotency-key'?: string } };
type IfMatch = { readonly headers: { readonly 'if-match'?: string } };
type IfNoneMatch = { readonly headers: { readonly 'if-none-match'?: string } };

/** The five handlers that every collection shares; `path` is where the collection is, as `/books`. */
export function collectionHandlers<R extends { id: number }>(path: string, records: Collection<R>) {
  return {
    list({ query: { limit, after } }: Page) {
      return whenThere(records.list({ limit, after }), ({ body, next }) => {
        const link = next && { Link: `<${path}?limit=${limit}&after=${next}>; rel="next"` };
        return { status: 200, headers: { ...link }, body } as const;
      });
    },

    async create({ body, headers: given }: Fields<R> & IdempotencyKey, { authorize }: Context) {
      const caller = await authorize('write');
      const key = given['idempotency-key'];
      const record = await records.create(body, key === undefined ? undefined : { caller, key });
      const headers = { Location: `${path}/${record.id}`, ETag: entityTag(record.version) };
      return { status: 201, headers, body: record.json } as const;
    },

    get({ path: { id }, headers }: Id & IfNoneMatch) {
      return whenThere(records.get(id), (record) => {
        const { version } = found(record);
        if (!isNamed(headers['if-none-match'], version)) return ok(found(record));
        return { status: 304, headers: { ETag: entityTag(version) }, body: undefined } as const;
      });
    },

    async replace({ path: { id }, headers, body }: Id & IfMatch & Fields<R>, context: Context) {
      await context.authorize('write');
      return ok(found(await records.replace(id, body, matchingVersions(headers['if-match']))));
    },

    async remove({ path: { id }, headers }: Id & IfMatch, { authorize }: Context) {
      await authorize('write');
      found((await records.remove(id, matchingVersions(headers['if-match']))) || undefined);
      return { status: 204, headers: {}, body: undefined } as const;
    },
  };
}

function ok<R>({ version, json }: Stored<R>) {
  return { status: 200, headers: { ETag: entityTag(version) }, body: json } as const;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ApiError('not-found', { detail: 'No record has this id.' });
  return value;
}
