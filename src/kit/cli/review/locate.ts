import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { type Contracts, schemaOf, shownFile } from '../contract/contract-texts.ts';
import type { Change } from './change.ts';
import { jsonLines } from './json-lines.ts';

type Located = Pick<Change, 'contract' | 'place' | 'isGone'>;

/** Finds the file and line of each of the changes: of what is gone in the contract as it was. */
export async function createLocate(
  before: Contracts,
  after: Contracts,
  changes: readonly Located[],
): Promise<(change: Located) => string> {
  const { getLineColLocation, Source } = await import('@redocly/openapi-core');
  const sides = { before: sideOf(before, true), after: sideOf(after, false) };

  function sideOf({ openapi, files, bundle }: Contracts, isGone: boolean) {
    const file = files?.openapi ?? 'openapi.yaml';
    // A part of another file has its place there, which nobody has told.
    if (bundle) return () => shownFile(file);
    const places = changes.filter((each) => each.isGone === isGone).map(({ place }) => place);
    const lineAt = /^\s*\{/.test(openapi) ? jsonLines(openapi, places) : yamlLine(file, openapi);
    return (pointer: string) => `${shownFile(file)}:${lineAt(pointer)}`;
  }

  function yamlLine(file: string, text: string) {
    const source = new Source(file, text);
    return (pointer: string) =>
      getLineColLocation({ source, pointer, reportOnKey: true }).start.line;
  }

  const schemas = new Map<Contracts, GraphQLSchema | undefined>();
  const inSdl = (contracts: Contracts, place: string): string => {
    if (!schemas.has(contracts)) schemas.set(contracts, schemaOf(contracts));
    const schema = schemas.get(contracts);
    const file = shownFile(contracts.files?.schema ?? 'schema.graphql');
    const line = schema && lineOf(schema, place);
    return line ? `${file}:${line}` : file;
  };

  return ({ contract, place, isGone }) => {
    if (contract === 'SDK') return '';
    if (contract === 'GraphQL') return inSdl(isGone ? before : after, place);
    return sides[isGone ? 'before' : 'after'](place);
  };
}

/** The line of a part of an SDL, or of the part around it. */
function lineOf(schema: GraphQLSchema, place: string): number | undefined {
  const [name = '', member = '', argument = ''] = place.split('.');
  const type = name.startsWith('@') ? schema.getDirective(name.slice(1)) : schema.getType(name);
  const field =
    isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
      ? type.getFields()[member]
      : isEnumType(type)
        ? type.getValue(member)
        : undefined;
  const inner =
    field && 'args' in field ? field.args.find((each) => each.name === argument) : undefined;
  return (inner ?? field ?? type)?.astNode?.loc?.startToken.line;
}
