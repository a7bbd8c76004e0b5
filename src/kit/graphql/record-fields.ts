import type { Authorize } from '../http/authentication.ts';
import type { Identified, Readable } from '../store/store.ts';
import type { Lists } from './context.ts';
import { withSource } from './field-source.ts';
import { byId } from './record-id.ts';

type Context<Store> = { readonly store: Store; readonly lists: Lists };

/** The resolver of a field with the record that its argument `id` names; null where there is none. */
export function recordOf<Store, R extends Identified>(table: (store: Store) => Readable<R>) {
  const resolve = (_: unknown, { id }: { readonly id: string }, { store }: Context<Store>) =>
    byId(id, table(store).find);
  return withSource(resolve, {
    kind: 'record',
    tableIn: (store: Store) => table(store).listable,
  });
}

/** The resolver of a field with the record that a field of its parent refers to; `coordinate` names it. */
export function parentOf<Store, R extends Identified, Field extends string>(
  coordinate: string,
  table: (store: Store) => Readable<R>,
  field: Field,
) {
  type Child = { readonly [Name in Field]: number | null | undefined };
  const resolve = (child: Child, _: unknown, { store, lists }: Context<Store>) =>
    lists.parent(coordinate, table(store), child[field]);
  return withSource(resolve, {
    kind: 'parent',
    coordinate,
    tableIn: (store: Store) => table(store).listable,
    field,
  });
}

/** The resolver of a field of a record that only those may read whom the policy allows this. */
export function guarded<Field extends string, Action extends string>(field: Field, action: Action) {
  type Guarded = { readonly authorize: Authorize<Action> };
  const resolve = async <T>(
    record: { readonly [Name in Field]: T },
    _: unknown,
    { authorize }: Guarded,
  ): Promise<T> => {
    await authorize(action);
    return record[field];
  };
  return withSource(resolve, { kind: 'guarded', field, action });
}
