import type { GraphQLSchema } from 'graphql';
import { wrapResolver } from './wrap-resolver.ts';

/** The change that an execution makes, for one that may be executed again to put its answer together. */
export type Change = { outcome?: Promise<unknown> };

/** Makes the mutation of a context with a `change` run once, however often its field is executed. */
export function keepOutcomes(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    wrapResolver(field, (resolve) => (source, args, context, info) => {
      const { change } = context as { readonly change?: Change };
      if (!change) return resolve(source, args, context, info);
      change.outcome ??= Promise.try(resolve, source, args, context, info);
      return change.outcome;
    });
  }
}
