import type { ApiCall } from '../api-call.ts';
import { isTokenAlone, neededSchemes, type Scheme } from '../client-schemes.ts';
import type { ExampleCall } from '../example-call.ts';
import type { Group } from '../groups.ts';
import type { Model } from '../model.ts';
import { camelCase } from '../names.ts';
import { argumentsText, isRange, shown } from './example-text.ts';
import { dataType, keyText } from './types.ts';

/** A program that calls an operation and prints what it is answered. */
export function typescriptSample(
  model: Model,
  group: Group,
  call: ApiCall,
  example: ExampleCall,
): string {
  const imports = [...(isRange(call) ? ['MediaBody'] : []), model.title];
  const text = `${clientName(model)}.${group.name}.${call.name}(${argumentsText(call, example)})`;
  return `${head(model, imports, neededSchemes(model.schemes, call.security))}${printed(text, dataType(call) !== 'undefined')}`;
}

/** A program that executes a GraphQL document. */
export function typescriptDocumentSample(
  model: Model,
  { query, variables }: { readonly query: string; readonly variables: object | undefined },
): string {
  const given = variables ? `, ${shown(variables)}` : '';
  const text = `${clientName(model)}.graphql.execute(${shown(query)}${given})`;
  return `${head(model, [model.title], [])}${printed(text, true)}`;
}

/** A statement that awaits a call. */
export function printed(call: string, hasData: boolean): string {
  return hasData ? `const data = await ${call};\nconsole.log(data);` : `await ${call};`;
}

/** An option of the client with credentials to replace. */
export function credentialsText(all: readonly Scheme[], needed: readonly Scheme[]): string {
  if (needed.length === 0) return '';
  if (isTokenAlone(all)) return ", token: async () => 'my-token'";
  const given = needed.map(
    ({ name, kind }) =>
      `${keyText(name)}: ${kind === 'basic' ? "{ username: 'me', password: 'my-password' }" : "'my-secret'"}`,
  );
  return `, credentials: { ${given.join(', ')} }`;
}

export const clientName = ({ title }: Model) => camelCase(title);

function head(model: Model, imports: readonly string[], needed: readonly Scheme[]): string {
  const { title, packageName, address, schemes } = model;
  const options = `{ baseUrl: '${address}'${credentialsText(schemes, needed)} }`;
  return `import { ${imports.join(', ')} } from '${packageName}';

const ${clientName(model)} = new ${title}(${options});

`;
}
