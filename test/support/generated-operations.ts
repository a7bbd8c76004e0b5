import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from 'graphql';
import type { Asked } from './random-queries.ts';

type Root = 'query' | 'mutation';

/** What texts graphql-jit takes for marks of its own. */
const marks = [
  '__MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8',
  '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d1 + 1',
];

/** An operation on any schema, which may be invalid; `pick` decides at each choice. */
export function operationOf(schema: GraphQLSchema, root: Root, pick: Pick): Asked {
  const declared: string[] = [];
  const variables: Record<string, unknown> = {};
  let names = 0;

  function literal(type: GraphQLInputType, depth: number, isConstant = false): string {
    if (!isConstant && pick([false, false, true])) return variable(type, depth);
    if (!isNonNullType(type) && pick([false, false, false, true])) return 'null';
    const bare = getNullableType(type);
    if (isListType(bare)) {
      const item = () => literal(bare.ofType, depth - 1, isConstant);
      return pick([() => item(), () => '[]', () => `[${item()}, ${item()}]`])();
    }
    if (isInputObjectType(bare)) return objectLiteral(bare, depth, isConstant);
    if (isEnumType(bare)) return pick(bare.getValues()).name;
    return pick(literals[bare.name] ?? literals.Stamp ?? []);
  }

  function objectLiteral(type: GraphQLInputObjectType, depth: number, isConstant: boolean): string {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf
      ? [pick(fields)]
      : fields.filter((each) => isRequiredInputField(each) || (depth > 0 && pick([true, false])));
    const isFixed = isConstant || type.isOneOf;
    return `{${given.map((each) => `${each.name}: ${literal(each.type, depth - 1, isFixed)}`)}}`;
  }

  function variable(type: GraphQLInputType, depth: number): string {
    const name = `${pick(['v', 'value', 'toString'])}${names++}`;
    const bare = getNullableType(type);
    const form = pick(['as it is', 'optional with a default', 'required']);
    const preset = literal(bare, depth, true);
    if (form === 'required') declared.push(`$${name}: ${bare}!`);
    else if (form === 'as it is') declared.push(`$${name}: ${type}`);
    else declared.push(`$${name}: ${bare} = ${preset}`);
    const value = pick(['given', 'given', 'given', 'null', 'absent', 'wrong']);
    if (value === 'given') variables[name] = json(bare, depth);
    if (value === 'null') variables[name] = null;
    if (value === 'wrong') variables[name] = { wrong: [1] };
    return `$${name}`;
  }

  function json(type: GraphQLInputType, depth: number): unknown {
    if (!isNonNullType(type) && pick([false, false, false, true])) return null;
    const bare = getNullableType(type);
    if (isListType(bare))
      return pick([[], [json(bare.ofType, depth - 1)], json(bare.ofType, depth - 1)]);
    if (isEnumType(bare)) return pick(bare.getValues()).name;
    if (!isInputObjectType(bare)) return pick(values[bare.name] ?? values.Stamp ?? []);
    const fields = Object.values(bare.getFields());
    const given = bare.isOneOf
      ? [pick(fields)]
      : fields.filter((each) => isRequiredInputField(each) || (depth > 0 && pick([true, false])));
    return Object.fromEntries(given.map((each) => [each.name, json(each.type, depth - 1)]));
  }

  function selection(type: GraphQLNamedType, depth: number): string {
    const fields =
      isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const usable = fields.filter((each) => depth > 1 || !isCompositeType(getNamedType(each.type)));
    const possible =
      isUnionType(type) || isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
    const parts = Array.from({ length: pick([1, 2, 3]) }, () =>
      pick([
        ...(usable.length > 0 ? [1, 2, 3, 4].map(() => () => fieldOf(pick(usable), depth)) : []),
        ...possible.map((each) => () => `... on ${each.name} { ${selection(each, depth - 1)} }`),
        () => `${pick(['', `t${names++}: `])}__typename`,
        () => `... ${isObjectType(type) ? `on ${type.name} ` : ''}{ __typename }`,
      ])(),
    );
    return parts.join(' ');
  }

  function fieldOf(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args.filter((each) => isRequiredArgument(each) || pick([true, false]));
    const args = given.map((each) => `${each.name}: ${literal(each.type, 2)}`);
    const inner = getNamedType(field.type);
    const below = isCompositeType(inner) ? ` { ${selection(inner, depth - 1)} }` : '';
    // Without an alias fields of one name merge, which those with arguments must not.
    const alias = args.length > 0 || pick([true, false]) ? pick(['f', 'f_', 'a_b']) + names++ : '';
    const directive = pick(['', '', '', '', '', ' @skip(if: false)', ' @include(if: false)']);
    return `${alias && `${alias}: `}${field.name}${args.length > 0 ? `(${args})` : ''}${directive}${below}`;
  }

  const type = schema.getRootType(
    // graphql's own names for its operations.
    root as Parameters<typeof schema.getRootType>[0],
  );
  const selected = type ? selection(type, 4) : '__typename';
  const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
  return { query: `${root} Generated${head} { ${selected} }`, variables };
}

/** Chooses one of several; fast-check can choose it again with fewer and smaller ones. */
export type Pick = <T>(from: readonly T[]) => T;

export function pickBy(generate: fc.GeneratorValue): Pick {
  // By index, because fast-check compares what it is given, and a schema refers to itself.
  return <T>(from: readonly T[]) => from[generate(fc.nat, from.length - 1)] as T;
}

const texts = ['', 'é"\\\n', 'text', ...marks].map((text) => JSON.stringify(text));
const literals: Readonly<Record<string, readonly string[]>> = {
  Int: ['0', '-0', '7', '-2147483648', '2147483647'],
  Float: ['0', '-0.0', '1.5', '1e300', '7'],
  String: texts,
  ID: ['0', '12', '"1"', '"x y"', ...texts.slice(-2)],
  Boolean: ['true', 'false'],
  Stamp: texts,
  BigInt: ['0', '-7', '9007199254740993', '1.5', '"1"'],
  Anything: ['9007199254740993', '{ a: [1, 9007199254740993] }', '[]', 'ENUM', ...texts],
  Instant: ['"2020-02-20"', '"never"', '7'],
};
const values: Readonly<Record<string, readonly unknown[]>> = {
  Int: [0, 1, 2_147_483_647, 2_147_483_648],
  Float: [0, 1.5, 1e300, 7],
  String: ['', 'é"\\\n', 'text', ...marks],
  ID: ['1', 2, '', 'x y', 1e21, 9007199254740993n],
  Boolean: [true, false],
  Stamp: ['now', 0, false],
  BigInt: [0, 7, -9007199254740993n, 1.5, '1'],
  Anything: [9007199254740993n, { a: [1, 9007199254740993n] }, [], false],
  Instant: ['2020-02-20', 'never', 7],
};
