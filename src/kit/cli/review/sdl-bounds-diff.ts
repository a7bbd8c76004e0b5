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
type Fact = Pick<Change, 'rule' | 'level' | 'isLooser' | 'message' | 'place' | 'before' | 'after'>;

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
        isLooser: !isNarrower,
        message: `\`${place}\` now takes ${is} (before: ${was})${end}.`,
        ...{ place, before: was, after: is },
      },
    ];
  });
}

const least = {
  minLength: (value: unknown) => `at least ${value} characters`,
  minimum: (value: unknown) => `at least ${value}`,
  minItems: (value: unknown) => `at least ${value} items`,
};
const lowest = ['minLength', 'minimum', 'minItems'] as const;
const most = {
  maxLength: (value: unknown) => `at most ${value} characters`,
  maximum: (value: unknown) => `at most ${value}`,
  maxItems: (value: unknown) => `at most ${value} items`,
};
const said = { ...least, ...most, format: (value: unknown) => `the form ${value}` };

function narrows(old: Bounds['given'], now: Bounds['given']): boolean {
  const none = { minLength: 0, minItems: 0, minimum: -Infinity };
  const from = (given: Bounds['given'], key: keyof typeof least) => Number(given[key] ?? none[key]);
  const upTo = (given: Bounds['given'], key: string) => Number(given[key] ?? Infinity);
  return (
    lowest.some((key) => from(now, key) > from(old, key)) ||
    Object.keys(most).some((key) => upTo(now, key) < upTo(old, key)) ||
    (now.format !== undefined && now.format !== old.format)
  );
}

function textOf({ given }: Bounds): string {
  const parts = Object.entries(said).flatMap(([key, say]) =>
    given[key] === undefined ? [] : [say(given[key])],
  );
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
