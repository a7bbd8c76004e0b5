import { generate } from '@graphql-codegen/cli';
import { camelCase, createNames, pascalCase } from '../../../sdk/names.ts';
import { doc } from '../../../sdk/typescript/types.ts';
import type { Graphql, NamedOperation } from '../graphql-operations.ts';

/** The types of the operations; without operations, those of the whole schema. */
export async function graphqlTypes(
  sdl: string,
  operations: readonly NamedOperation[],
): Promise<string> {
  const config = { enumsAsTypes: true, useTypeImports: true, skipTypename: true };
  const whole = { ...config, defaultScalarType: 'unknown', namingConvention: 'keep' };
  const hasOperations = operations.length > 0;
  // Its own loader would look for it in the current folder.
  const plugin = await (hasOperations
    ? import('@graphql-codegen/typescript-operations')
    : import('@graphql-codegen/typescript'));
  const files = await generate(
    {
      schema: sdl,
      ...(hasOperations && { documents: operations.map(({ text }) => text) }),
      generates: {
        'types.ts': hasOperations
          ? { plugins: ['typescript-operations'], config }
          : { plugins: ['typescript'], config: whole },
      },
      pluginLoader: () => plugin,
      silent: true,
    },
    false,
  );
  return String(files[0]?.content);
}

/** The class with a function for each operation. */
export function graphqlFile({ codes, operations }: Graphql): string {
  const types = operations.map(resultType);
  const methods = createNames(['constructor', 'execute']);
  const documents = operations.map(
    ({ name, about, text }, i) =>
      `${doc([about])}export const ${name}Document = new TypedDocument<${types[i]}, ${types[i]}Variables>(${literal(text)});\n`,
  );
  const functions = operations.map(
    ({ name, about }, i) =>
      `${doc([about], '  ')}  ${methods(camelCase(name), 'Operation')}(...given: VariablesOf<${types[i]}Variables>): GraphqlCall<${types[i]}, GraphqlCode> {\n    return this.execute(${name}Document, ...given);\n  }\n`,
  );
  const imports =
    operations.length > 0
      ? [
          "import { type GraphqlCall, GraphqlEndpoint, TypedDocument, type VariablesOf } from './runtime/graphql.js';\n",
          `import type { ${resultTypes(operations).join(', ')} } from './graphql-types.js';\n\n`,
        ]
      : ["import { GraphqlEndpoint } from './runtime/graphql.js';\n\n"];
  const about =
    operations.length > 0
      ? 'The GraphQL operations by name, and any other with `execute`.'
      : 'GraphQL operations: `execute` takes any document.';
  return [
    ...imports,
    doc(['What can go wrong with a GraphQL operation: the `code` of an error.']),
    `export type GraphqlCode = ${codes.map((code) => JSON.stringify(code)).join(' | ') || 'string'};\n\n`,
    documents.join('\n'),
    `\n${doc([about])}`,
    `export class Graphql extends GraphqlEndpoint<GraphqlCode> {\n${functions.join('\n')}}\n`,
  ].join('');
}

const resultType = ({ name, kind }: NamedOperation) => `${pascalName(name)}${pascalCase(kind)}`;

/** As graphql-codegen writes the names of operations. */
function pascalName(name: string): string {
  return /^[A-Z][A-Za-z0-9]*$/.test(name) ? name : name.charAt(0).toUpperCase() + name.slice(1);
}

export function resultTypes(operations: readonly NamedOperation[]): string[] {
  return operations.map(resultType).flatMap((type) => [type, `${type}Variables`]);
}

function literal(text: string): string {
  return `\`${text.replaceAll(/[\\`$]/g, '\\$&')}\``;
}
