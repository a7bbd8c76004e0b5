import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  GraphQLString,
  getDirectiveValues,
  getNullableType,
  isObjectType,
} from 'graphql';
import { codedError } from './graphql-errors.ts';

/**
 * Makes every field whose arguments carry `@bounds` refuse what the directive forbids, before its
 * resolver runs; throws when the directive itself is used wrongly.
 */
export function enforceBounds(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const checks = field.args.flatMap((arg) =>
        checkOf(schema, `${type.name}.${field.name}`, arg),
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

/** Says what is wrong with the arguments of one call, if anything is. */
type Check = (args: Readonly<Record<string, unknown>>) => string | undefined;

type Bounds = { minLength: number; maxLength: number; format?: 'EMAIL' };

function guard(field: Field, checks: readonly Check[]): void {
  wrapResolver(field, (resolve) => (source, args, context, info) => {
    const faults = checks.map((check) => check(args)).filter((fault) => fault !== undefined);
    if (faults.length > 0) throw codedError('BAD_USER_INPUT', faults.join(' '));
    return resolve(source, args, context, info);
  });
}

function checkOf(schema: GraphQLSchema, field: string, arg: GraphQLArgument): Check[] {
  const directive = schema.getDirective('bounds');
  const values = directive && arg.astNode && getDirectiveValues(directive, arg.astNode);
  if (!values) return [];
  // The SDL declares the directive's arguments, and getDirectiveValues has coerced them to that.
  const bounds = values as Bounds;
  const place = `@bounds on ${field}(${arg.name}:)`;
  if (getNullableType(arg.type) !== GraphQLString) throw new Error(`${place} wants a String.`);
  if (bounds.minLength < 0 || bounds.minLength > bounds.maxLength) {
    throw new Error(`${place} wants 0 <= minLength <= maxLength.`);
  }
  return [
    (args) => {
      const value = args[arg.name];
      if (typeof value !== 'string') return undefined;
      const fault = faultOf(value, bounds);
      return fault && `Argument "${arg.name}" must ${fault}.`;
    },
  ];
}

function faultOf(text: string, { minLength, maxLength, format }: Bounds): string | undefined {
  if (text.includes('\0') || !text.isWellFormed()) {
    return 'not contain U+0000 or lone surrogates';
  }
  if (!hasLength(text, minLength, maxLength)) {
    return minLength === 0
      ? `be at most ${maxLength} characters long`
      : `be ${minLength} to ${maxLength} characters long`;
  }
  if (format === 'EMAIL' && !emailAddress.test(text)) {
    return 'be an e-mail address such as name@example.com';
  }
  return undefined;
}

function hasLength(text: string, least: number, most: number): boolean {
  // A code point is one or two UTF-16 units, so a text this long needs no counting.
  if (text.length > 2 * most) return false;
  const length = [...text].length;
  return length >= least && length <= most;
}

// No character fits two neighbouring parts, so matching takes one pass and cannot backtrack far.
const emailAddress = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@.]+(?:\.[^\s\p{Cc}@.]+)+$/u;
