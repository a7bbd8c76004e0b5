import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import type { Listable } from '../store/store.ts';

/** What a resolver reads, for those who can read it otherwise. */
export type Source<Store = unknown> = {
  readonly kind: 'list' | 'children' | 'cursor' | 'record' | 'parent' | 'guarded';
  /** Names a list or a parent, such as `Type.field`. */
  readonly coordinate?: string;
  readonly tableIn?: (store: Store) => Listable;
  /** The field that refers to the parent of children. */
  readonly fieldIn?: (store: Store) => string;
  /** The field of the record that is shown, or that refers to a parent. */
  readonly field?: string;
  /** What the caller must be allowed to do. */
  readonly action?: string;
  /** Whether the resolver takes these arguments; without it, any. */
  readonly admits?: (args: { readonly [name: string]: unknown }) => boolean;
};

const key: unique symbol = Symbol('source');

/** A resolver that says what it reads. */
export function withSource<F extends object, Store>(resolve: F, source: Source<Store>): F {
  return Object.assign(resolve, { [key]: source });
}

export function sourceOf(resolve: unknown): Source | undefined {
  // `withSource` alone has the key; the server gives a resolver the store of the API that has it.
  return typeof resolve === 'function' && key in resolve ? (resolve[key] as Source) : undefined;
}

/** Keeps what the resolvers of a schema read at its fields: graphql-tools makes other functions of them. */
export function keepSources(schema: GraphQLSchema, resolvers: readonly object[]): void {
  for (const [name, members] of resolvers.flatMap((each) => Object.entries(each))) {
    const type = schema.getType(name);
    if (!isObjectType(type)) continue;
    for (const [field, resolver] of Object.entries(Object(members))) {
      const declared = type.getFields()[field];
      if (declared) keepSource(declared, sourceOf(resolver));
    }
  }
}

type Field = GraphQLField<unknown, unknown>;

export function keepSource(field: Field, source: Source | undefined): void {
  field.extensions = { ...field.extensions, [key]: source };
}

export function fieldSource({ extensions }: Field): Source | undefined {
  // `keepSource` alone has the key.
  return extensions[key] as Source | undefined;
}
