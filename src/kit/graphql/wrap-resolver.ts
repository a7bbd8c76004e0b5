import { defaultFieldResolver, type GraphQLField, type GraphQLFieldResolver } from 'graphql';

type Field = GraphQLField<unknown, unknown>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;

/** Puts a resolver around that of a field. It declares as many parameters, as `compilable.ts` reads them. */
export function wrapResolver(field: Field, wrap: (resolve: Resolver) => Resolver): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = Object.defineProperty(wrap(resolve), 'length', { value: resolve.length });
}
