/** Mutants that no test can notice, by their id, with the reason. */
export const equivalentMutants: Readonly<Record<string, string>> = {
  // kit/graphql/context.ts
  eaad45017c: 'sets the loader that is there',
  '3ec2de3146': 'no arguments have another text as their key, which nobody else has',
  // kit/graphql/exact-numbers.ts
  '0f683bc93e': 'a map without members restores nothing',
  '051d6b0775': 'a map without members restores nothing',
  // kit/graphql/executable-schema.ts
  '5f21488acb': 'without resolvers graphql-tools copies the schema, which only takes time',
  '974b1f8f5a': 'without resolvers graphql-tools copies the schema, which only takes time',
  a3315c5799: 'without resolvers graphql-tools copies the schema, which only takes time',
  // kit/graphql/graphql-endpoint.ts
  '775d0a73a0': 'without custom scalars there is no bigint in the data that is looked through',
  // kit/graphql/mock-fields.ts
  a91728a160: 'only fields of the subscription type are asked for their source',
  // kit/graphql/relation-fields.ts
  '02642d3d62': 'sets the loader that is there',
  // kit/graphql/result-reply.ts
  '488bb071bf': 'graphql-http only asks whether there are errors, and its text is not sent',
  // kit/graphql/statement-arguments.ts
  '6e4ee8e1e1': 'arguments without variables are the same each time that they are read',
  // kit/graphql/unknown-members.ts
  '3b0f730f21': 'counts on where there are too many already',
  '07808bf93a': 'counts on where there are too many already',
  // kit/http/upload-spool.ts
  fa4b22d86f: 'nobody waits for the listener, and its last statement handles its own failure',
  '84d76ea29b':
    'the first file begins one byte later; all offsets are counted from where it begins',
  // kit/store/collection-piece.ts
  e308df48b0: 'the sum of 0 for each row is never too long: the condition only saves the sum',
  // kit/store/sqlite/sqlite-catalogue.ts
  b04cb93424: 'no statement begins with WHERE',
};
