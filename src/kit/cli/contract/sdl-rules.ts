import {
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
import { boundsOf } from './bounds.ts';
import type { Finding } from './finding.ts';
import { createPatternCheck, type PatternCheck } from './linear-pattern.ts';

/** Descriptions on everything, names in the usual case, bounds on every text that is taken. */
export function sdlFindings(schema: GraphQLSchema, check = createPatternCheck()): Finding[] {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
  const directives = schema.getDirectives().filter((each) => !isSpecifiedDirective(each));
  const parts = [...types.flatMap(partsOf), ...directives.flatMap(directiveParts)];
  const own = [...types, ...directives];
  return [
    ...parts.flatMap(partFindings),
    ...types.flatMap(textFindings),
    ...own.flatMap((each) => patternFindings(each, check)),
  ].map((found) => ({
    contract: 'schema.graphql',
    ...found,
  }));
}

type Part = {
  readonly place: string;
  readonly name: string;
  readonly form: RegExp;
  readonly description: string | null | undefined;
};

const camel = /^[a-z][A-Za-z0-9]*$/;
const pascal = /^[A-Z][A-Za-z0-9]*$/;
const capitals = /^[A-Z][A-Z0-9_]*$/;

function partsOf(type: GraphQLNamedType): Part[] {
  const own = { place: type.name, name: type.name, form: pascal, description: type.description };
  const at = (name: string) => `${type.name}.${name}`;
  if (isEnumType(type)) {
    const values = type.getValues();
    return [own, ...values.map((value) => ({ ...value, place: at(value.name), form: capitals }))];
  }
  if (!isObjectType(type)) return [own];
  const fields = Object.values(type.getFields()).flatMap((field): Part[] => [
    { ...field, place: at(field.name), form: camel },
    ...field.args.map((arg) => ({
      ...arg,
      place: `${at(field.name)}(${arg.name}:)`,
      form: camel,
    })),
  ]);
  return [own, ...fields];
}

function directiveParts(directive: GraphQLDirective): Part[] {
  const { name, description, args } = directive;
  const own = { place: `@${name}`, name, form: camel, description };
  return [own, ...args.map((arg) => ({ ...arg, place: `@${name}(${arg.name}:)`, form: camel }))];
}

function partFindings({ place, name, form, description }: Part) {
  return [
    ...(form.test(name) ? [] : [{ place, message: `is not named like ${form.source}` }]),
    ...(description ? [] : [{ place, message: 'has no description' }]),
  ];
}

function textFindings(type: GraphQLNamedType) {
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    field.args
      .filter((arg) => /^String\b/.test(String(arg.type)) && !boundsOf(arg).text)
      .map((arg) => ({
        place: `${type.name}.${field.name}(${arg.name}:)`,
        message: 'takes text without @bounds',
      })),
  );
}

/** Directives that hold a text to a regular expression call the argument `pattern`. */
function patternFindings({ astNode }: GraphQLNamedType | GraphQLDirective, check: PatternCheck) {
  const found: { place: string; message: string }[] = [];
  if (!astNode) return found;
  visit(astNode, {
    Directive({ name, arguments: given = [] }) {
      for (const argument of given) {
        if (argument.name.value !== 'pattern' || argument.value.kind !== Kind.STRING) continue;
        const message = check(argument.value.value);
        if (message) found.push({ place: `@${name.value}(pattern:)`, message });
      }
    },
  });
  return found;
}
