import type { GraphQLScalarType } from 'graphql';

/**
 * Which resolvers must exist: one for each field of a root type, and one for each field of a type that its record
 * lacks. The generated types alone would let any of them be forgotten. `All` is the generated `Resolvers`, `Records` the
 * generated `ResolversParentTypes`.
 */
export type ResolverMap<All, Records> = {
  readonly [Name in keyof All as IsNeeded<All, Records, Name> extends true ? Name : never]-?: Of<
    All,
    Records,
    Name
  >;
} & {
  readonly [Name in keyof All as IsNeeded<All, Records, Name> extends true ? never : Name]?: Of<
    All,
    Records,
    Name
  >;
};

type IsNeeded<All, Records, Name extends keyof All> =
  Record<never, never> extends Of<All, Records, Name> ? false : true;

type Of<All, Records, Name extends keyof All> = Name extends 'Query' | 'Mutation' | 'Subscription'
  ? Required<NonNullable<All[Name]>>
  : NonNullable<All[Name]> extends GraphQLScalarType
    ? Partial<GraphQLScalarType>
    : Needed<NonNullable<All[Name]>, Name extends keyof Records ? Records[Name] : never>;

type Needed<Fields, Held> = Required<Omit<Fields, keyof Held | `__${string}`>> & Partial<Fields>;
