import { defaultFieldResolver, type GraphQLSchema } from 'graphql';

/** The change that an execution makes, for one that may be executed again to put its answer together. */
export type Change = { outcome?: Promise<unknown> };

/** Makes the mutation of a context with a `change` run once, however often its field is executed. */
export function keepOutcomes(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source, args, context, info) => {
      const { change } = context as { readonly change?: Change };
      if (!change) return resolve(source, args, context, info);
      change.outcome ??= Promise.try(resolve, source, args, context, info);
      return change.outcome;
    };
  }
}
