import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isObjectType,
} from 'graphql';
import type { Choice } from './choice.ts';

export type GraphqlOperation = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** A valid operation: nested, with aliases, fragments, variables and directives. */
export function validOperation(choice: Choice, schema: GraphQLSchema): GraphqlOperation {
  const isMutation = choice.isOnceIn(3);
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  if (!root) throw new Error('the schema has no such type');
  const draft = createDraft(choice);
  const count = choice.one([1, 1, 2, 3]);
  const fields = Array.from({ length: count }, () =>
    draft.field(choice.one(Object.values(root.getFields())), 4),
  );
  const typename = choice.isOnceIn(6) ? ' __typename' : '';
  const declared = draft.declared.length > 0 ? `(${draft.declared.join(', ')})` : '';
  const head = isMutation || declared || choice.isOnceIn(2);
  const name = choice.one(['', ' Named', ' _1']);
  const operation = `${head ? `${isMutation ? 'mutation' : 'query'}${name}${declared} ` : ''}{ ${fields.join(' ')}${typename} }`;
  return { query: [operation, ...draft.fragments].join('\n'), variables: draft.variables };
}

type Field = GraphQLField<unknown, unknown>;

function createDraft(choice: Choice) {
  const declared: string[] = [];
  const fragments: string[] = [];
  const variables: Record<string, unknown> = {};
  let names = 0;

  function field({ name, args, type }: Field, depth: number): string {
    const given = args.map((each) => `${each.name}: ${argument(each)}`);
    const inner = getNamedType(type);
    const below = isObjectType(inner) ? ` { ${selection(inner, depth - 1)} }` : '';
    // Fields of one name merge, which those with arguments of their own must not.
    const alias = given.length > 0 || choice.isOnceIn(5) ? `a${names++}: ` : '';
    const values = given.length > 0 ? `(${given.join(', ')})` : '';
    return `${alias}${name}${values}${directive()}${below}`;
  }

  function directive(): string {
    if (!choice.isOnceIn(12)) return '';
    const name = choice.one(['include', 'skip']);
    if (choice.isOnceIn(2)) return ` @${name}(if: ${choice.isOnceIn(2)})`;
    return ` @${name}(if: ${variable('Boolean!', choice.isOnceIn(2))})`;
  }

  function variable(type: string, value: unknown): string {
    const name = `v${names++}`;
    declared.push(`$${name}: ${type}`);
    variables[name] = value;
    return `$${name}`;
  }

  function argument({ type, name }: GraphQLArgument): string {
    const value = scalarOf(choice, getNullableType(type).toString(), name);
    if (choice.isOnceIn(2)) return variable(String(type), value);
    return JSON.stringify(value);
  }

  function selection(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).filter(
      (each) => depth > 0 || !isObjectType(getNamedType(each.type)),
    );
    const chosen = fields.filter(() => choice.isOnceIn(2));
    const parts = (chosen.length > 0 ? chosen : fields.slice(0, 1)).map((each) =>
      field(each, depth),
    );
    if (choice.isOnceIn(6)) parts.push(`... on ${type} { ${selection(type, 0)} }`);
    if (choice.isOnceIn(10)) parts.push('... { __typename }');
    if (choice.isOnceIn(8)) parts.push('__typename');
    if (choice.isOnceIn(8)) parts.unshift(fragment(type, depth));
    return parts.join(choice.one([' ', ', ', '\n']));
  }

  function fragment(type: GraphQLObjectType, depth: number): string {
    const name = `F${names++}`;
    fragments.push(`fragment ${name} on ${type} { ${selection(type, depth)} }`);
    return `...${name}${directive()}`;
  }

  return { declared, fragments, variables, field };
}

const ids = ['1', '2', '3', '4', 1, 2, '0', '99', '01', 'x', '', '-1', '9007199254740993', ' 1'];
const texts = [
  ...[
    'x',
    'A title',
    '',
    'a'.repeat(200),
    'a'.repeat(201),
    '👍'.repeat(200),
    'e\u0301',
    '\u0000',
    '"""',
  ],
  ...['\ud800', 'line\nbreak', '</script>', 'a'.repeat(10_000), 'a'.repeat(10_001), '\\', '\u2028'],
];
const addresses = [
  ...['ada@example.com', 'new@example.com', 'x@y.z', 'x', '@', 'a@b', 'a b@c.d', 'a@b@c.d', ''],
  ...[`${'a'.repeat(243)}@example.com`, `${'a'.repeat(242)}@example.com`, 'é@é.é', 'A@EXAMPLE.com'],
];

/** A value of a scalar; texts are within their bounds or just beyond. */
function scalarOf(choice: Choice, type: string, name: string): unknown {
  if (type === 'Boolean') return choice.isOnceIn(2);
  if (type === 'Int') return choice.below(5);
  if (type === 'ID') return choice.isOnceIn(4) ? choice.one(ids) : String(1 + choice.below(6));
  if (name === 'email' && !choice.isOnceIn(8)) {
    return choice.isOnceIn(2) ? choice.one(addresses) : `user${choice.below(1000)}@example.com`;
  }
  return choice.isOnceIn(4) ? choice.one(texts) : `text ${choice.below(1000)}`;
}
