import type { ApiCall } from '../../sdk/api-call.ts';
import { type Model, modelOf } from '../../sdk/model.ts';
import { capitalised, snakeCase } from '../../sdk/names.ts';
import { createTypes, type Types, union } from '../../sdk/python/python-models.ts';
import {
  bodyType as pythonBody,
  dataType as pythonData,
} from '../../sdk/python/python-operation.ts';
import { fieldName } from '../../sdk/python/text.ts';
import { bodyType, dataType, typeOf } from '../../sdk/typescript/types.ts';
import type { Contracts } from '../contract/contract-texts.ts';
import { sourcesOf } from '../sdk/sdk-sources.ts';
import type { Change } from './change.ts';
import { readersOf } from './change.ts';

/** One method of the SDKs in both versions; undefined where there is none. */
export type MethodChange = {
  /** The REST operation: `GET /planets`. */
  readonly operation: string;
  readonly name: string;
  readonly before: Signature | undefined;
  readonly after: Signature | undefined;
};

export type Signature = { readonly typescript: string; readonly python: string };

/** The methods that are not what they were. */
export function sdkChanges(before: Contracts, after: Contracts): MethodChange[] {
  const [old, now] = [methodsOf(before), methodsOf(after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return keys.flatMap((key): MethodChange[] => {
    const [was, is] = [old.get(key), now.get(key)];
    if (JSON.stringify(was?.signature) === JSON.stringify(is?.signature)) return [];
    const { operation, name } = is ?? was ?? { operation: key, name: key };
    return [{ operation, name, before: was?.signature, after: is?.signature }];
  });
}

/** Methods that are called otherwise although the operation is what it was, as where a tag changed. */
export function renamedMethods(methods: readonly MethodChange[]): Change[] {
  return methods.flatMap(({ operation, before, after }): Change[] => {
    const [was, is] = [before, after].map((each) => each?.typescript.split('(')[0]);
    if (!was || !is || was === is) return [];
    const kind = {
      rule: 'sdk-method-renamed',
      level: 'breaking',
      isWording: false,
      isLooser: false,
    } as const;
    return [
      {
        ...{ contract: 'SDK', ...kind, isGone: false },
        subject: { kind: 'operation', name: operation },
        part: 'SDK',
        message: `The SDKs call \`${operation}\` as \`${is}\` instead of \`${was}\`: code that uses it no longer compiles.`,
        place: operation,
        ...{ before: was, after: is },
        readers: readersOf(kind),
      },
    ];
  });
}

type Method = { readonly operation: string; readonly name: string; readonly signature: Signature };

function methodsOf(contracts: Contracts): Map<string, Method> {
  if (contracts.openapi === '') return new Map();
  const model = modelOf(sourcesOf(contracts));
  const types = createTypes(model);
  return new Map(
    model.groups.flatMap((group) => group.calls.map((call) => entry(group, call, types))),
  );
}

type Group = Model['groups'][number];

function entry(group: Group, call: ApiCall, types: Types): [string, Method] {
  const operation = `${call.method} ${call.path}`;
  const signature = {
    typescript: typescriptText(group, call),
    python: pythonText(group, call, types),
  };
  return [
    operation.replaceAll(/\{[^}]*\}/g, '{}'),
    { operation, name: `${group.name}.${call.name}`, signature },
  ];
}

function typescriptText(group: Group, call: ApiCall): string {
  const options = call.options.map(
    ({ key, required, shape }) => `${key}${required ? '' : '?'}: ${typeOf(shape)}`,
  );
  const given = [
    ...call.inPath.map(({ key, shape }) => `${key}: ${typeOf(shape)}`),
    ...(call.body ? [`body${call.body.required ? '' : '?'}: ${bodyType(call)}`] : []),
    ...(options.length > 0 ? [`{ ${options.join('; ')} }`] : []),
  ];
  return short(`${group.name}.${call.name}(${given.join(', ')}): ${dataType(call)}`);
}

function pythonText(group: Group, call: ApiCall, types: Types): string {
  const typeText = (key: string, shape: ApiCall['inPath'][number]['shape']) =>
    types.typeOf(shape, `${call.typeName}${capitalised(key)}`);
  const options = call.options.map(({ key, required, shape }) => {
    const type = typeText(key, shape);
    return `${fieldName(key)}: ${required ? type : `${union([type, 'None'])} = None`}`;
  });
  const given = [
    ...call.inPath.map(({ key, shape }) => `${fieldName(key)}: ${typeText(key, shape)}`),
    ...(call.body ? [`body: ${pythonBody(call, types)}`] : []),
    ...(options.length > 0 ? ['*', ...options] : []),
  ];
  return short(
    `${snakeCase(group.name)}.${fieldName(call.name)}(${given.join(', ')}) -> ${pythonData(call, types)}`,
  );
}

function short(text: string): string {
  return text.replaceAll(/\/\*\*.*?\*\//gs, '').replaceAll(/\s+/g, ' ');
}
