import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** A query that the schema admits, with variables that mostly fit. */
export type Asked = { readonly query: string; readonly variables: Record<string, unknown> };

const flags = ['yes', 'no'];
const ids = ['known', 'absent'];

/** Queries of all kinds: aliases, fragments with and without names, directives, variables, repeated fields. */
export function queriesOf(schema: GraphQLSchema): fc.Arbitrary<Asked> {
  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');
  const values = fc.record({
    yes: fc.constantFrom<unknown>(true, true, true, 'true', null),
    no: fc.constantFrom<unknown>(false, false, false, 0, undefined),
    known: fc.constantFrom<unknown>('1', '2', 1, 2.5, null),
    absent: fc.constantFrom<unknown>('99', 'x', '', '01', ['1']),
  });
  return fc
    .record({ selections: selectionsOf(root, 4), variables: values })
    .map(({ selections, variables }) => {
      const used = (name: string) => selections.includes(`$${name}`);
      const declared = [
        ...flags.filter(used).map((name) => `$${name}: Boolean!`),
        ...ids.filter(used).map((name) => `$${name}: ID!`),
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

function selectionsOf(type: GraphQLObjectType, depth: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter((field) => depth > 1 || isLeaf(field));
  const selections = fields.map((field) => selectionOf(field, depth));
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

function selectionOf(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
  const inner = getNamedType(field.type);
  const below = isObjectType(inner)
    ? selectionsOf(inner, depth - 1).map((selections) => ` { ${selections} }`)
    : fc.constant('');
  const id = fc.constantFrom('$known', '$absent', '"1"', '2', '"nobody"');
  const given = fc.tuple(...field.args.map((arg) => id.map((value) => `${arg.name}: ${value}`)));
  const args = field.args.some(isRequiredArgument)
    ? given.map((all) => `(${all.join(', ')})`)
    : fc.constant('');
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
