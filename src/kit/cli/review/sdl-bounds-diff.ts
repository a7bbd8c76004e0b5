import {
  type ConstDirectiveNode,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  print,
  valueFromASTUntyped,
} from 'graphql';
import type { Change } from './change.ts';

type Bounds = { readonly text: string; readonly given: Readonly<Record<string, unknown>> };
type Fact = Pick<Change, 'rule' | 'level' | 'message' | 'place' | 'before' | 'after'>;

/** How `@bounds` of arguments and input fields changed. */
export function boundsFacts(from: GraphQLSchema, to: GraphQLSchema): Fact[] {
  const after = new Map(inputsOf(to));
  return inputsOf(from).flatMap(([place, old]): Fact[] => {
    const now = after.get(place);
    if (now === undefined || now.text === old.text) return [];
    const isNarrower = narrows(old.given, now.given);
    const [was, is] = [textOf(old), textOf(now)];
    const end = isNarrower ? ': operations that give it otherwise are refused' : '';
    return [
      {
        rule: isNarrower ? 'argument-bounds-narrower' : 'argument-bounds-wider',
        level: isNarrower ? 'breaking' : 'safe',
        message: `\`${place}\` now takes ${is} (before: ${was})${end}.`,
        ...{ place, before: was, after: is },
      },
    ];
  });
}

function narrows(old: Bounds['given'], now: Bounds['given']): boolean {
  const isMore = (key: string) => Number(now[key] ?? -Infinity) > Number(old[key] ?? -Infinity);
  const isLess = (key: string) => Number(now[key] ?? Infinity) < Number(old[key] ?? Infinity);
  const isLonger = Number(now.minLength ?? 0) > Number(old.minLength ?? 0);
  const isForm = now.format !== undefined && now.format !== old.format;
  return isLonger || isLess('maxLength') || isMore('minimum') || isLess('maximum') || isForm;
}

function textOf({ given }: Bounds): string {
  const { minLength, maxLength, minimum, maximum, format } = given;
  const parts = [
    minLength ? `at least ${minLength} characters` : '',
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    format === undefined ? '' : `the form ${format}`,
  ].filter(Boolean);
  return parts.length === 0 ? 'any value' : parts.join(', ');
}

function inputsOf(schema: GraphQLSchema): (readonly [string, Bounds])[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) {
      return Object.values(type.getFields()).map(
        (field) => [`${type.name}.${field.name}`, boundsOf(field.astNode?.directives)] as const,
      );
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) =>
      field.args.map(
        (arg) =>
          [`${type.name}.${field.name}.${arg.name}`, boundsOf(arg.astNode?.directives)] as const,
      ),
    );
  });
}

function boundsOf(directives: readonly ConstDirectiveNode[] = []): Bounds {
  const directive = directives.find(({ name }) => name.value === 'bounds');
  const given = (directive?.arguments ?? []).map(
    ({ name, value }) => [name.value, valueFromASTUntyped(value)] as const,
  );
  return { text: directive ? print(directive) : '', given: Object.fromEntries(given) };
}
