import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** A query that the schema admits, with variables that mostly fit. */
export type Asked = { readonly query: string; readonly variables: Record<string, unknown> };

const flags = ['yes', 'no'];
const ids = ['known', 'absent'];

/** Texts that the values of an argument may have. */
export type Texts = readonly string[];

/**
 * Queries of all kinds: aliases, fragments with and without names, directives, variables, repeated fields. With `texts`
 * they have arguments that may be left out, too.
 */
export function queriesOf(schema: GraphQLSchema, texts?: Texts): fc.Arbitrary<Asked> {
  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');
  // With values that do not fit an operation has no data to compare.
  const often = texts ? 10 : 1;
  const most = (fit: readonly unknown[], unfit: readonly unknown[]) =>
    fc.constantFrom<unknown>(...Array(often).fill(fit).flat(), ...unfit);
  const values = fc.record({
    yes: most([true, true, true], ['true', null]),
    no: most([false, false, false], [0, undefined]),
    known: most(['1', '2', 1], [2.5, null]),
    absent: most(['99', 'x', '', '01'], [['1']]),
  });
  const optional = texts ? optionalArguments(schema) : [];
  const more = fc.record(
    Object.fromEntries(
      optional.map((arg) => [variableOf(arg), fc.option(givenTo(arg, texts ?? []), { freq: 9 })]),
    ),
  );
  return fc
    .record({ selections: selectionsOf(root, 4, texts), flags: values, more })
    .map(({ selections, flags: given, more }) => {
      const used = (name: string) => new RegExp(`\\$${name}\\b`).test(selections);
      const variables = { ...given, ...more };
      const declared = [
        ...flags.filter(used).map((name) => `$${name}: Boolean!`),
        ...ids.filter(used).map((name) => `$${name}: ID!`),
        ...optional
          .filter((arg) => used(variableOf(arg)))
          .map((arg) => `$${variableOf(arg)}: ${arg.type}`),
      ];
      const head = declared.length > 0 ? `query (${declared.join(', ')})` : '';
      const named = Object.values(schema.getTypeMap())
        .filter(isObjectType)
        .filter((type) => selections.includes(`...Of${type.name}`))
        .map((type) => `fragment Of${type.name} on ${type.name} { ${leavesOf(type).slice(-2)} }`);
      return { query: [`${head} { ${selections} }`, ...named].join('\n'), variables };
    });
}

/** The fields that need neither arguments nor selections. */
function leavesOf(type: GraphQLObjectType): string[] {
  const fields = Object.values(type.getFields());
  return fields
    .filter((each) => isLeaf(each) && !each.args.some(isRequiredArgument))
    .map(({ name }) => name);
}

function selectionsOf(
  type: GraphQLObjectType,
  depth: number,
  texts: Texts | undefined,
): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter((field) => depth > 1 || isLeaf(field));
  const selections = fields.map((field) => selectionOf(field, depth, texts));
  const inline = () =>
    fc
      .tuple(directives, fc.oneof(...selections), fc.boolean())
      .map(([on, inner, isTyped]) => `...${isTyped ? ` on ${type.name}` : ''} ${on} { ${inner} }`);
  const named = leavesOf(type).length ? [directives.map((on) => `...Of${type.name} ${on}`)] : [];
  const each = fc.oneof(
    { weight: 8, arbitrary: fc.oneof(...selections) },
    { weight: 1, arbitrary: fc.constant('__typename') },
    { weight: 1, arbitrary: inline() },
    ...named.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
  return fc.array(each, { minLength: 1, maxLength: 3 }).map((all) => all.join(' '));
}

const directives = fc.constantFrom(
  ...['', '', '', '@skip(if: $no)', '@include(if: $yes)', '@include(if: $no)', '@skip(if: true)'],
);

function selectionOf(
  field: GraphQLField<unknown, unknown>,
  depth: number,
  texts: Texts | undefined,
): fc.Arbitrary<string> {
  const inner = getNamedType(field.type);
  const below = isObjectType(inner)
    ? selectionsOf(inner, depth - 1, texts).map((selections) => ` { ${selections} }`)
    : fc.constant('');
  const id = fc.constantFrom('$known', '$absent', '"1"', '2', '"nobody"');
  const given = fc.tuple(...field.args.map((arg) => id.map((value) => `${arg.name}: ${value}`)));
  const args = field.args.some(isRequiredArgument)
    ? given.map((all) => `(${all.join(', ')})`)
    : someOf(field.args, texts);
  // One alias for each field and its arguments, so that what is repeated can be merged.
  return fc
    .tuple(fc.boolean(), args, directives, below)
    .map(([isAliased, list, on, selections]) => {
      const alias = isAliased || list ? `${field.name}${list.replace(/\W/g, '_')}: ` : '';
      return `${alias}${field.name}${list} ${on}${selections}`;
    });
}

function isLeaf(field: GraphQLField<unknown, unknown>): boolean {
  return !isObjectType(getNamedType(field.type));
}

/** Some of the arguments of a field, as literals and as variables. */
function someOf(args: readonly GraphQLArgument[], texts: Texts | undefined): fc.Arbitrary<string> {
  if (!texts || args.length === 0) return fc.constant('');
  const each = args.map((arg) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constant(`${arg.name}: $${variableOf(arg)}`) },
      {
        weight: 2,
        arbitrary: givenTo(arg, texts).map((value) => `${arg.name}: ${literal(arg.type, value)}`),
      },
    ),
  );
  return fc.tuple(...each).map((all) => {
    const list = all.filter(Boolean).join(', ');
    return list && `(${list})`;
  });
}

function optionalArguments(schema: GraphQLSchema): GraphQLArgument[] {
  const all = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__') && name !== 'Mutation')
    .flatMap((type) => Object.values(type.getFields()).flatMap(({ args }) => args))
    .filter((arg) => !isRequiredArgument(arg));
  return [...new Map(all.map((arg) => [variableOf(arg), arg])).values()];
}

/** One variable for each argument of a name and a type. */
function variableOf({ name, type }: GraphQLArgument): string {
  return `${name}_${String(type).replace(/\W/g, '_')}`;
}

/** Few texts are a place in a list. */
function givenTo({ name, type }: GraphQLArgument, texts: Texts): fc.Arbitrary<unknown> {
  return valuesOf(type, name === 'after' ? ['2', '4', '5', '20', ...texts.slice(0, 2)] : texts);
}

function valuesOf(type: GraphQLInputType, texts: Texts): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return valuesOf(type.ofType, texts);
  if (isListType(type)) return fc.array(valuesOf(type.ofType, texts), { maxLength: 3 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(Boolean);
    return fc
      .uniqueArray(fc.constantFrom(...fields), { maxLength: 2 })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(chosen.map((each) => [each.name, valuesOf(each.type, texts)])),
        ),
      );
  }
  if (type.name === 'Int') return fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 0, -1);
  if (type.name === 'Float') return fc.constantFrom(0, 0.1, -1.5, 1e21);
  if (type.name === 'Boolean') return fc.boolean();
  return fc.constantFrom('1', '3', ...texts);
}

function literal(type: GraphQLInputType, value: unknown): string {
  if (isNonNullType(type)) return literal(type.ofType, value);
  if (Array.isArray(value) && isListType(type)) {
    return `[${value.map((each) => literal(type.ofType, each)).join()}]`;
  }
  if (isEnumType(type)) return String(value);
  if (!isInputObjectType(type)) return JSON.stringify(value);
  const members = Object.entries(Object(value)).map(([name, inner]) => {
    const field = type.getFields()[name];
    return field ? `${name}: ${literal(field.type, inner)}` : '';
  });
  return `{${members.join()}}`;
}
