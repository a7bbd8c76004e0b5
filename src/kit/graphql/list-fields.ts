import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { filterFault } from '../store/listable.ts';
import type { ChildRecords, Identified, Listable, Readable } from '../store/store.ts';
import type { Lists } from './context.ts';
import { sourceOf, withSource } from './field-source.ts';
import { askedByArguments, type ListArguments, sortField } from './list-arguments.ts';
import type { Resolvers } from './resolver-check.ts';

type Context<Store> = { readonly store: Store; readonly lists: Lists };
type Sorted = Pick<ListArguments, 'sort'>;

/** The resolver of a field with the records of a table; `coordinate` names the field, such as `Query.things`. */
export function listOf<Store, R extends Identified>(
  coordinate: string,
  table: (store: Store) => Readable<R>,
) {
  const resolve = (_: unknown, args: ListArguments, { store, lists }: Context<Store>) =>
    lists.all(coordinate, table(store), args);
  return withSource(resolve, {
    kind: 'list',
    coordinate,
    tableIn: (store: Store) => table(store).listable,
  });
}

/** The resolver of a field with the records that refer to its parent. */
export function childrenOf<Store, R extends Identified>(
  coordinate: string,
  table: (store: Store) => ChildRecords<R>,
) {
  const resolve = ({ id }: Identified, args: ListArguments, { store, lists }: Context<Store>) =>
    lists.children(coordinate, table(store), id, args);
  return withSource(resolve, {
    kind: 'children',
    coordinate,
    tableIn: (store: Store) => table(store).listable,
    fieldIn: (store: Store) => table(store).field,
  });
}

/** The resolver of a field that tells where a list continues after a record; `sort` is that of the list. */
export function cursorIn<Store, R extends Identified>(table: (store: Store) => Readable<R>) {
  const resolve = (record: R, args: Sorted, { store }: { readonly store: Store }) => {
    const { listable, cursor } = table(store);
    // Their fields are those of the record.
    const sort = askedByArguments(listable, args).sort as Parameters<typeof cursor>[1];
    return String(cursor(record, sort));
  };
  return withSource(resolve, {
    kind: 'cursor',
    tableIn: (store: Store) => table(store).listable,
  });
}

/** Refuses arguments that the lists of a table cannot be asked. */
export function checkLists(schema: GraphQLSchema, resolvers: Resolvers, store: unknown): void {
  for (const each of [resolvers].flat()) {
    for (const [name, members] of Object.entries(each)) {
      const type = schema.getType(name);
      if (!isObjectType(type)) continue;
      for (const [field, resolver] of Object.entries(Object(members))) {
        const declared = type.getFields()[field];
        const source = sourceOf(resolver);
        if (!declared || source?.tableIn === undefined) continue;
        const fault = faultOf(source.tableIn(store), declared);
        if (fault) throw new Error(`${name}.${field}${fault}`);
      }
    }
  }
}

function faultOf(listable: Listable, { args }: GraphQLField<unknown, unknown>): string | undefined {
  const named = (name: string) => {
    const type = args.find((each) => each.name === name)?.type;
    return type && getNamedType(type);
  };
  const [where, sort] = [named('where'), named('sort')];
  if (where && !isInputObjectType(where)) return '(where:) is no input object';
  if (sort && !isEnumType(sort)) return '(sort:) is no enum';
  for (const { name, type } of Object.values(where?.getFields() ?? {})) {
    const comparison = getNamedType(type);
    if (!isInputObjectType(comparison)) return `(where:) has no comparisons in ${name}`;
    for (const operator of Object.keys(comparison.getFields())) {
      const fault = filterFault(listable, name, operator);
      if (fault) return `(where:) ${fault}`;
    }
  }
  const unknown = sort?.getValues().find(({ name }) => !sortField(listable, name));
  return (
    unknown && `(sort:) has ${unknown.name}, which the table ${listable.name} does not declare`
  );
}
