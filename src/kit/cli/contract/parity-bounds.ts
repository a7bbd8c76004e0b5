import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { Document } from '../../contract/openapi-document.ts';
import { type Bounds, createBoundsOf } from '../../graphql/bounds-directive.ts';
import { type RestSchema, wholeSchema } from './rest-records.ts';

type Given = GraphQLArgument | GraphQLInputField;

type Range = {
  readonly least: keyof Bounds;
  readonly most: keyof Bounds;
  /** The type in REST. */
  readonly kind: string;
  readonly unit: string;
  readonly any: string;
};

const ranges: readonly Range[] = [
  { least: 'minLength', most: 'maxLength', kind: 'string', unit: ' characters', any: 'any text' },
  { least: 'minimum', most: 'maximum', kind: 'number', unit: '', any: 'any number' },
  { least: 'minItems', most: 'maxItems', kind: 'array', unit: ' items', any: 'any list' },
];

/**
 * Compares what a mutation that gives a record takes for a field of it with what REST says of the field. Bounds that
 * the SDL's `@bounds` cannot express are not compared.
 */
export function createBoundMessages(
  document: Document,
  schema: GraphQLSchema,
): (type: GraphQLObjectType, name: string, property: RestSchema) => string[] {
  const boundsOf = createBoundsOf(schema);
  const known = new Set(schema.getDirective('bounds')?.args.map(({ name }) => name));
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  if (!boundsOf) return () => [];
  return (type, name, property) => {
    const rest = wholeSchema(document, property);
    const kinds = new Set(
      [rest.type].flat().map((each) => (each === 'integer' ? 'number' : String(each))),
    );
    return mutations
      .filter((mutation) => gives(mutation, type))
      .flatMap(({ args }) => given(args, name))
      .flatMap((each) => {
        const own = boundsOf(each, name) ?? {};
        return [
          ...ranges
            .filter(
              ({ least, most, kind }) => kinds.has(kind) && known.has(least) && known.has(most),
            )
            .map((range) => rangeMessage(rest, own, range)),
          kinds.has('string') && known.has('format') ? formatMessage(rest, own) : '',
        ];
      });
  };
}

/** Whether a mutation gives a record: by itself, or among the fields of a payload. */
function gives({ type }: GraphQLField<unknown, unknown>, record: GraphQLObjectType): boolean {
  const named = getNamedType(type);
  if (named === record) return true;
  return (
    isObjectType(named) &&
    Object.values(named.getFields()).some((field) => getNamedType(field.type) === record)
  );
}

/** The arguments of a name, and the fields of that name in input objects. */
function given(args: readonly Given[], name: string): Given[] {
  return args.flatMap((arg) => {
    const type = getNamedType(arg.type);
    if (!isInputObjectType(type)) return arg.name === name ? [arg] : [];
    return Object.values(type.getFields()).filter((field) => field.name === name);
  });
}

function rangeMessage(rest: RestSchema, own: Bounds, range: Range): string {
  const { least, most } = range;
  const [min, max] = [lowest(rest, least), highest(rest, most)];
  if (min === 'open' || max === 'open') return '';
  const start = least === 'minimum' ? undefined : 0;
  const isSame = (min ?? start) === (own[least] ?? start) && max === own[most];
  const text = (min: unknown, max: unknown) =>
    max === undefined && (min ?? 0) === 0 && !(least === 'minimum' && min === 0)
      ? range.any
      : `${min ?? start ?? 'any'} to ${max ?? 'any'}${range.unit}`;
  return isSame ? '' : `takes ${text(min, max)} and ${text(own[least], own[most])}`;
}

/** `@bounds` has no bound that is excluded; of integers it is the next one. */
function lowest(rest: RestSchema, least: string): unknown {
  const { exclusiveMinimum: excluded, type } = rest;
  if (least !== 'minimum' || excluded === undefined) return rest[least];
  return type === 'integer' && typeof excluded === 'number' ? excluded + 1 : 'open';
}

function highest(rest: RestSchema, most: string): unknown {
  const { exclusiveMaximum: excluded, type } = rest;
  if (most !== 'maximum' || excluded === undefined) return rest[most];
  return type === 'integer' && typeof excluded === 'number' ? excluded - 1 : 'open';
}

function formatMessage({ format }: RestSchema, own: Bounds): string {
  const [rest, graphql] = [format === 'email', own.format === 'EMAIL'];
  if (rest === graphql) return '';
  return `takes ${rest ? 'e-mail addresses' : 'any text'} and ${graphql ? 'e-mail addresses' : 'any text'}`;
}
