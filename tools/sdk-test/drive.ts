import { inspect } from 'node:util';
import { parse } from 'yaml';
import type { NamedOperation } from '../../src/kit/cli/sdk/graphql-operations.ts';
import type { Sources } from '../../src/kit/cli/sdk/sdk-sources.ts';
import type { ApiCall } from '../../src/kit/sdk/api-call.ts';
import type { Model } from '../../src/kit/sdk/model.ts';
import { camelCase, iterationName, snakeCase } from '../../src/kit/sdk/names.ts';
import { moduleName } from '../../src/kit/sdk/python/python-sample.ts';
import { fieldName, pythonRepr } from '../../src/kit/sdk/python/text.ts';
import { nameOf } from '../../src/kit/sdk/schema.ts';

/** What a driven call must be answered with. */
export type Expectation = { readonly name: string; holds(value: unknown): boolean };

/**
 * A program that calls every method of the SDK once with the contract's own examples, and prints all
 * answers as one JSON object.
 */
export function typescriptDrive(model: Model, operations: readonly NamedOperation[]): string {
  const lines = model.groups.flatMap(({ name, calls }) =>
    calls.flatMap((call) => {
      const method = `accord.${name}.${call.name}`;
      const path = call.inPath.map(({ example }) => inspect(example));
      const options = call.options.map(
        (each) => `${camelCase(each.name)}: ${inspect(each.example)}`,
      );
      const given = [
        ...path,
        ...(call.body ? [inspect(call.body.example)] : []),
        ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : []),
      ].join(', ');
      const isRead = call.method === 'GET' && call.replyHeaders.length > 0;
      return [
        `answers['${call.operationId}'] = (await ${method}(${given})) ?? null;`,
        ...(isRead
          ? [
              `answers['${call.operationId} headers'] = (await ${method}(${given}).withResponse()).headers;`,
            ]
          : []),
        ...(call.pageOf
          ? [
              `answers['${call.operationId} pages'] = isDeepEqual(await accord.${name}.${iterationName(call.name)}({ limit: 1 }).toArray(), await ${method}());`,
            ]
          : []),
      ];
    }),
  );
  const graphql = operations.map(
    ({ name, variables }) =>
      `answers['graphql ${name}'] = await accord.graphql.${camelCase(name)}(${Object.keys(variables).length > 0 ? inspect(variables) : ''});`,
  );
  return `import { ${model.title} } from '${model.packageName}';

declare const process: { readonly argv: readonly string[] };

const accord = new ${model.title}({ baseUrl: String(process.argv[2]), onWarning: (text) => { throw new Error(text); } });
const answers: Record<string, unknown> = {};
const isDeepEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
${graphql.join('\n')}
${lines.join('\n')}
console.log(JSON.stringify(answers));
`;
}

export function pythonDrive(
  model: Model,
  operations: readonly NamedOperation[],
  mode: 'sync' | 'async',
): string {
  const wait = mode === 'async' ? 'await ' : '';
  const inputs = new Set<string>();
  const lines = model.groups.flatMap(({ name, calls }) =>
    calls.flatMap((call) => {
      const group = `accord.${snakeCase(name)}`;
      const input = nameOf(call.body?.schema ?? {});
      if (input) inputs.add(input);
      const fields = Object.entries(Object(call.body?.example));
      const given = [
        ...call.inPath.map(({ example }) => pythonRepr(example)),
        ...(input ? [`${input}(${keywords(fields)})`] : []),
        ...call.options.map((each) => `${fieldName(each.name)}=${pythonRepr(each.example)}`),
      ].join(', ');
      const method = fieldName(call.name);
      const isRead = call.method === 'GET' && call.replyHeaders.length > 0;
      const iterate = `${group}.${snakeCase(iterationName(call.name))}(limit=1)`;
      const all = mode === 'async' ? `[each async for each in ${iterate}]` : `list(${iterate})`;
      const isEmpty = call.replies.every(({ payload }) => !payload);
      return [
        ...(isEmpty
          ? [`${wait}${group}.${method}(${given})`, `answers["${call.operationId}"] = None`]
          : [`answers["${call.operationId}"] = encode(${wait}${group}.${method}(${given}))`]),
        ...(isRead
          ? [
              `answers["${call.operationId} headers"] = encode((${wait}${group}.${snakeCase(call.name)}_with_response(${given})).headers)`,
            ]
          : []),
        ...(call.pageOf
          ? [`answers["${call.operationId} pages"] = ${all} == ${wait}${group}.${method}()`]
          : []),
      ];
    }),
  );
  const graphql = operations.map(
    ({ name, variables }) =>
      `answers["graphql ${name}"] = encode(${wait}accord.graphql.${fieldName(name)}(${keywords(Object.entries(variables))}))`,
  );
  const client = mode === 'async' ? `Async${model.title}` : model.title;
  const module = moduleName(model);
  const body = [...graphql, ...lines].map((line) => `    ${line}\n`).join('');
  return `import asyncio
import json
import sys
import warnings
from typing import Any

from ${module} import ${[client, ...inputs].join(', ')}
from ${module}._wire import encode

warnings.simplefilter("error")
accord = ${client}(sys.argv[1])
answers: dict[str, Any] = {}


async def main() -> None:
${body}

asyncio.run(main())
print(json.dumps(answers))
`;
}

/** What the contract says about the answers, on the demo data. */
export function expectations(
  model: Model,
  sources: Sources,
  operations: readonly NamedOperation[],
): Expectation[] {
  const whole: Readonly<Record<string, unknown>> = {
    getContractJson: parse(sources.openapi),
    getContractYaml: sources.openapi,
    getGraphqlSchema: sources.sdl,
  };
  const rest = model.groups.flatMap(({ calls }) =>
    calls.flatMap((call) => {
      const name = call.operationId;
      const isRead = call.method === 'GET' && call.replyHeaders.length > 0;
      return [
        { name, holds: (value: unknown) => isAnswer(call, value, whole[name]) },
        ...(isRead
          ? [{ name: `${name} headers`, holds: (value: unknown) => hasHeaders(call, value) }]
          : []),
        ...(call.pageOf
          ? [{ name: `${name} pages`, holds: (value: unknown) => value === true }]
          : []),
      ];
    }),
  );
  const graphql = operations.map(({ name, answers }) => ({
    name: `graphql ${name}`,
    holds: (value: unknown) => isSame(value, answers),
  }));
  return [...rest, ...graphql];
}

/** The example is what comes back; of whole contracts and of texts the examples are but the beginning. */
function isAnswer(call: ApiCall, value: unknown, whole: unknown): boolean {
  const payload = call.replies[0]?.payload;
  if (whole !== undefined) return isSame(value, whole);
  if (!payload) return value === null;
  return payload.kind === 'json' ? isSame(value, payload.example) : typeof value === 'string';
}

function hasHeaders(call: ApiCall, value: unknown): boolean {
  const found = Object.keys(Object(value)).map((key) => key.replaceAll('_', '').toLowerCase());
  return call.replyHeaders
    .filter(({ required }) => required)
    .every(({ name }) => found.includes(name.replaceAll('-', '').toLowerCase()));
}

function keywords(entries: readonly (readonly [string, unknown])[]): string {
  return entries.map(([name, value]) => `${fieldName(name)}=${pythonRepr(value)}`).join(', ');
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** The order of members means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
