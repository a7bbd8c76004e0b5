import {
  type ASTNode,
  type GraphQLDirective,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  Kind,
  visit,
} from 'graphql';
import { boundsOf } from './argument-bounds.ts';
import type { Severity } from './finding.ts';
import type { PatternCheck } from './linear-pattern.ts';

/** A rule on an SDL, and how much it means for anybody's. */
export type SdlRule = {
  readonly id: string;
  readonly severity: Severity | 'off';
  find(schema: GraphQLSchema, check: PatternCheck): Misplaced[];
};

/** What a rule says of a part, which a schema coordinate tells. */
type Misplaced = {
  readonly place: string;
  readonly message: string;
  readonly node: ASTNode | null | undefined;
};

export const sdlRules: readonly SdlRule[] = [
  {
    id: 'sdl-description',
    severity: 'off',
    find: (schema) =>
      partsIn(schema)
        .filter(({ description }) => !description)
        .map((part) => ({ ...part, message: 'has no description' })),
  },
  {
    id: 'sdl-name',
    severity: 'warning',
    find: (schema) =>
      partsIn(schema)
        .filter(({ name, form }) => !form.test(name))
        .map((part) => ({ ...part, message: `is not named like ${part.form.source}` })),
  },
  { id: 'sdl-bounds', severity: 'off', find: (schema) => typesOf(schema).flatMap(unbounded) },
  {
    id: 'sdl-linear-pattern',
    severity: 'warning',
    find: (schema, check) =>
      [...typesOf(schema), ...directivesOf(schema)].flatMap((each) => slowPatterns(each, check)),
  },
];

function typesOf(schema: GraphQLSchema): GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
}

function directivesOf(schema: GraphQLSchema): GraphQLDirective[] {
  return schema.getDirectives().filter((each) => !isSpecifiedDirective(each));
}

type Part = {
  readonly place: string;
  readonly name: string;
  readonly form: RegExp;
  readonly description: string | null | undefined;
  readonly node: ASTNode | null | undefined;
};

function partsIn(schema: GraphQLSchema): Part[] {
  return [...typesOf(schema).flatMap(partsOf), ...directivesOf(schema).flatMap(directiveParts)];
}

const camel = /^[a-z][A-Za-z0-9]*$/;
const pascal = /^[A-Z][A-Za-z0-9]*$/;
const capitals = /^[A-Z][A-Z0-9_]*$/;

function partsOf(type: GraphQLNamedType): Part[] {
  const own = partOf(type, type.name, pascal);
  const at = (name: string) => `${type.name}.${name}`;
  if (isEnumType(type))
    return [own, ...type.getValues().map((value) => partOf(value, at(value.name), capitals))];
  if (!isObjectType(type)) return [own];
  const fields = Object.values(type.getFields()).flatMap((field): Part[] => [
    partOf(field, at(field.name), camel),
    ...field.args.map((arg) => partOf(arg, `${at(field.name)}(${arg.name}:)`, camel)),
  ]);
  return [own, ...fields];
}

function directiveParts(directive: GraphQLDirective): Part[] {
  const { name, args } = directive;
  const own = partOf(directive, `@${name}`, camel);
  return [own, ...args.map((arg) => partOf(arg, `@${name}(${arg.name}:)`, camel))];
}

type Described = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly astNode?: ASTNode | null | undefined;
};

function partOf({ name, description, astNode }: Described, place: string, form: RegExp): Part {
  return { name, description, node: astNode, place, form };
}

function unbounded(type: GraphQLNamedType): Misplaced[] {
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    field.args
      .filter((arg) => /^String\b/.test(String(arg.type)) && !boundsOf(arg).text)
      .map((arg) => ({
        place: `${type.name}.${field.name}(${arg.name}:)`,
        message: 'takes text without @bounds',
        node: arg.astNode,
      })),
  );
}

/** Directives that hold a text to a regular expression call the argument `pattern`. */
function slowPatterns(
  { astNode }: GraphQLNamedType | GraphQLDirective,
  check: PatternCheck,
): Misplaced[] {
  const found: Misplaced[] = [];
  if (!astNode) return found;
  visit(astNode, {
    Directive({ name, arguments: given = [] }) {
      for (const argument of given) {
        if (argument.name.value !== 'pattern' || argument.value.kind !== Kind.STRING) continue;
        const message = check(argument.value.value);
        if (message) found.push({ place: `@${name.value}(pattern:)`, message, node: argument });
      }
    },
  });
  return found;
}
