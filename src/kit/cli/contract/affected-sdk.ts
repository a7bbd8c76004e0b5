import { type Markup, markup } from '../../docs/markup.ts';
import type { ApiCall } from '../../sdk/api-call.ts';
import { modelOf } from '../../sdk/model.ts';
import { camelCase, iterationName, snakeCase } from '../../sdk/names.ts';
import { fieldName } from '../../sdk/python/text.ts';
import { sourcesOf } from '../sdk/sdk-sources.ts';
import type { Contracts } from './contract-texts.ts';

/** What a change means to those who use the SDKs: the methods that are not what they were. */
export type AffectedMethod = {
  readonly typescript: string;
  readonly python: string;
  readonly fate: 'changed' | 'new' | 'gone';
};

/** The methods of the changed operations and of the GraphQL operations that use what changed. */
export function affectedMethods(
  before: Contracts,
  after: Contracts,
  operationIds: readonly string[],
  graphqlOperations: readonly string[],
): AffectedMethod[] {
  const [old, now] = [methodsIn(before), methodsIn(after)];
  const ids = [...operationIds, ...[...old.keys()].filter((id) => !now.has(id))];
  const rest = ids.flatMap((id) => {
    const fate = !now.has(id) ? 'gone' : old.has(id) ? 'changed' : 'new';
    return (now.get(id) ?? old.get(id) ?? []).map((names) => ({ ...names, fate }) as const);
  });
  const graphql = graphqlOperations.map((name) => ({
    typescript: `graphql.${camelCase(name)}`,
    python: `graphql.${fieldName(name)}`,
    fate: 'changed' as const,
  }));
  return [...rest, ...graphql];
}

export function sdkSection(methods: readonly AffectedMethod[]): Markup {
  if (methods.length === 0) return markup`<p>None.</p>`;
  const rows = methods.map(
    ({ typescript, python, fate }) =>
      markup`<tr><td>${fate}</td><td><code>accord.${typescript}</code></td><td><code>accord.${python}</code></td></tr>\n`,
  );
  return markup`<table><tr><th></th><th>TypeScript</th><th>Python</th></tr>${rows}</table>`;
}

type Names = Pick<AffectedMethod, 'typescript' | 'python'>;

function methodsIn({ openapi, bundle, sdl }: Contracts): Map<string, Names[]> {
  if (openapi === '') return new Map();
  const { groups } = modelOf(sourcesOf(bundle ?? openapi, sdl, ''));
  return new Map(
    groups.flatMap(({ name, calls }) =>
      calls.map((call) => [call.operationId, namesOf(name, call)] as const),
    ),
  );
}

function namesOf(group: string, { name, pageOf, writtenBackBy }: ApiCall): Names[] {
  const methods = [
    name,
    ...(pageOf ? [iterationName(name)] : []),
    ...(writtenBackBy ? ['update'] : []),
  ];
  return methods.map((method) => ({
    typescript: `${group}.${method}`,
    python: `${snakeCase(group)}.${fieldName(method)}`,
  }));
}
