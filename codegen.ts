import type { CodegenConfig } from '@graphql-codegen/cli';

const record = (name: string) => `../src/api/tables.ts#${name} as ${name}Record`;

const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'generated/graphql.d.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        useTypeImports: true,
        // A file of types alone has no enums at run time.
        enumsAsTypes: true,
        maybeValue: 'T | null | undefined',
        avoidOptionals: { field: true },
        contextType: '../src/api/access.ts#Context',
        // What each type's resolvers are given: the record as the store has it.
        mappers: {
          Book: record('Book'),
          User: record('User'),
          Post: record('Post'),
          Comment: record('Comment'),
          Todo: record('Todo'),
        },
        scalars: { ID: { input: 'string', output: 'string | number' } },
      },
    },
  },
};

export default config;
