import {
  type ASTNode,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
} from 'graphql';

/** What `@bounds` demands of the value of an argument or input field. */
export type Bounds = {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: 'EMAIL';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

/** Reads `@bounds` on an argument or input field; `place` names it where the directive is used wrongly. */
export type BoundsOf = (
  on: GraphQLArgument | GraphQLInputField,
  place: string,
) => Bounds | undefined;

/** What each argument of `@bounds` is given to, and the types that it may have. */
const known: Readonly<Record<keyof Bounds, readonly [on: RegExp, takes: RegExp, wants: string]>> = {
  minLength: [/^(String|ID)$/, /^Int$/, 'a String'],
  maxLength: [/^(String|ID)$/, /^Int$/, 'a String'],
  format: [/^(String|ID)$/, /^enum$/, 'a String'],
  minimum: [/^(Int|Float)$/, /^(Int|Float)$/, 'an Int or a Float'],
  maximum: [/^(Int|Float)$/, /^(Int|Float)$/, 'an Int or a Float'],
  minItems: [/./, /^Int$/, 'a list'],
  maxItems: [/./, /^Int$/, 'a list'],
};
const pairs = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
] as const;

/** Undefined where the schema has no such directive, or one of its own that takes other arguments. */
export function createBoundsOf(schema: GraphQLSchema): BoundsOf | undefined {
  const directive = schema.getDirective('bounds');
  if (!directive?.args.length || !directive.args.every(isKnown)) return undefined;
  return ({ astNode, type }, place) => {
    const values = astNode && getDirectiveValues(directive, astNode);
    if (!values) return undefined;
    const written = astNode.directives?.find(({ name }) => name.value === directive.name);
    const isWritten = (key: string) => written?.arguments?.some(({ name }) => name.value === key);
    const entries = Object.entries(values).filter(([key, value]) => {
      if (value == null) return false;
      // The names were compared above.
      const [on, , wants] = known[key as keyof Bounds];
      const isFit =
        on.test(getNamedType(type).name) && (wants !== 'a list' || isListType(nullable(type)));
      // A default that the directive declares says nothing about a value of another type.
      if (!isFit && isWritten(key)) throw misuse(astNode, place, wants);
      return isFit;
    });
    // Their types were compared above, and getDirectiveValues has coerced them to those.
    const bounds = Object.fromEntries(entries) as Bounds;
    requireOrder(bounds, astNode, place);
    return bounds;
  };
}

function isKnown({ name, type }: GraphQLArgument): boolean {
  const named = getNamedType(type);
  const isFormat = isEnumType(named) && named.getValues().every((value) => value.name === 'EMAIL');
  const [, takes] = Object.hasOwn(known, name) ? known[name as keyof Bounds] : [];
  return !isListType(nullable(type)) && (takes?.test(isFormat ? 'enum' : named.name) ?? false);
}

function requireOrder(bounds: Bounds, node: ASTNode, place: string): void {
  for (const [least, most] of pairs) {
    const [min, max] = [bounds[least], bounds[most]];
    const isNegative = least !== 'minimum' && Math.min(min ?? 0, max ?? 0) < 0;
    if (!isNegative && !(min !== undefined && max !== undefined && min > max)) continue;
    const start = least === 'minimum' ? '' : '0 <= ';
    throw misuse(node, place, `${start}${least} <= ${most}`);
  }
}

function misuse(node: ASTNode, place: string, wants: string): GraphQLError {
  return new GraphQLError(`@bounds on ${place} wants ${wants}.`, { nodes: node });
}

function nullable(type: GraphQLInputType): GraphQLInputType {
  return getNullableType(type);
}
