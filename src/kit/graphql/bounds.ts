import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { type BoundsOf, createBoundsOf } from './bounds-directive.ts';
import { faultsOf } from './bounds-faults.ts';
import { fieldSource, keepSource } from './field-source.ts';
import { codedError } from './graphql-errors.ts';

/**
 * Makes every field whose arguments, or input fields within them, carry `@bounds` refuse what the directive forbids,
 * before its resolver runs; throws when the directive itself is used wrongly.
 */
export function enforceBounds(schema: GraphQLSchema): void {
  const boundsOf = createBoundsOf(schema);
  if (!boundsOf) return;
  const checkOf = createCheckOf(schema, boundsOf);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const checks = field.args.flatMap(
        (arg) => checkOf(arg, `${type.name}.${field.name}(${arg.name}:)`) ?? [],
      );
      if (checks.length > 0) guard(field, checks);
    }
  }
}

type Field = GraphQLField<unknown, unknown>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;

/** Wraps the resolver of a field. The wrapper has its `length`, which `compilable.ts` reads. */
export function wrapResolver(field: Field, wrap: (resolve: Resolver) => Resolver): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = Object.defineProperty(wrap(resolve), 'length', { value: resolve.length });
}

type Values = Readonly<Record<string, unknown>>;

/** Says what is wrong with a value of the arguments of one call, or of an input object, that has this path. */
type Check = (values: Values, path: string) => string[];

const MOST_FAULTS = 5;

function guard(field: Field, checks: readonly Check[]): void {
  const wrapped = (resolve: Resolver): Resolver => {
    return (source, args, context, info) => {
      const faults = checks.flatMap((check) => check(args, ''));
      if (faults.length > 0) {
        throw codedError('BAD_USER_INPUT', faults.slice(0, MOST_FAULTS).join(' '));
      }
      return resolve(source, args, context, info);
    };
  };
  wrapResolver(field, wrapped);
  const source = fieldSource(field);
  const admits = (args: Values) => checks.every((check) => check(args, '').length === 0);
  if (source) keepSource(field, { ...source, admits });
  // A subscription starts with its source of events.
  if (field.subscribe) field.subscribe = wrapped(field.subscribe);
}

function createCheckOf(schema: GraphQLSchema, boundsOf: BoundsOf) {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  const bounded = boundedInputs(inputs, boundsOf);
  // Made when it is first needed, because input types may contain themselves.
  const checksOf = new Map<GraphQLInputObjectType, readonly Check[]>();

  function checksIn(type: GraphQLInputObjectType): readonly Check[] {
    const made = checksOf.get(type);
    if (made) return made;
    const checks = Object.values(type.getFields()).flatMap(
      (field) => checkOf(field, `${type.name}.${field.name}`) ?? [],
    );
    checksOf.set(type, checks);
    return checks;
  }

  function checkOf(on: GraphQLArgument | GraphQLInputField, place: string): Check | undefined {
    const bounds = boundsOf(on, place);
    const inner = innerInput(on.type);
    const isBounded = inner !== undefined && bounded.has(inner);
    if (!bounds && !isBounded) return undefined;
    const within = (value: unknown, path: string): string[] => {
      if (Array.isArray(value)) return value.flatMap((each, i) => within(each, `${path}[${i}]`));
      if (!isBounded || typeof value !== 'object' || value === null) return [];
      // graphql has coerced the value to an object of this input type.
      return checksIn(inner).flatMap((check) => check(value as Values, `${path}.`));
    };
    return (values, prefix) => {
      const value = values[on.name];
      const path = prefix + on.name;
      return [...(bounds ? faultsOf(value, bounds, path) : []), ...within(value, path)];
    };
  }

  return checkOf;
}

/** The input types with bounds on a field of theirs, or of one that they lead to. Reads all bounds once. */
function boundedInputs(
  inputs: readonly GraphQLInputObjectType[],
  boundsOf: BoundsOf,
): ReadonlySet<GraphQLInputObjectType> {
  const users = new Map<GraphQLInputObjectType, GraphQLInputObjectType[]>();
  const bounded = new Set<GraphQLInputObjectType>();
  for (const type of inputs) {
    for (const field of Object.values(type.getFields())) {
      if (boundsOf(field, `${type.name}.${field.name}`)) bounded.add(type);
      const inner = innerInput(field.type);
      if (inner) users.set(inner, [...(users.get(inner) ?? []), type]);
    }
  }
  // A set yields what is added to it meanwhile.
  for (const type of bounded) for (const user of users.get(type) ?? []) bounded.add(user);
  return bounded;
}

function innerInput(type: GraphQLInputType): GraphQLInputObjectType | undefined {
  const named = getNamedType(type);
  return isInputObjectType(named) ? named : undefined;
}
