import { kindsAmong } from './discriminator.ts';
import { isScalar } from './equal-values.ts';
import { isObject } from './openapi-document.ts';
import { nameIn, type SchemaForms, schemasIn } from './schema-forms.ts';

type Schema = Readonly<Record<string, unknown>>;
type Names = ReadonlySet<string>;

/** What makes the validation of a value cost more than its size. */
export type Traits = {
  /** A schema leads to itself in several ways, which may all be asked of the same value. */
  readonly branches: boolean;
  /** The items of a list are compared with each other. */
  readonly comparesItems: boolean;
  /** Values are compared with objects or lists, or with many others. */
  readonly comparesValues: boolean;
  /** With how many a value is compared at most. */
  readonly longestEnum: number;
  /** How many schemas there are: a value may be asked all of them. */
  readonly schemaCount: number;
  /** How many members of an object are filled in at most. */
  readonly defaults: number;
  /** How many alternatives stand beside each other at most: a value may have a fault of each. */
  readonly alternatives: number;
  /** How many members are required together at most: an object may lack each of them. */
  readonly required: number;
};

// Ajv compares with each.
const MANY = 100;

export function traitsOf({ schemas, components }: SchemaForms): Traits {
  const all = [schemas, components].flatMap((forms) =>
    Object.values(forms).flatMap((form) => [...schemasIn(form)]),
  );
  const values = all.flatMap(({ const: only, enum: listed }) => [[only], listed]);
  const longestEnum = longest(values);
  const choices = all.flatMap(({ oneOf, anyOf }) => [oneOf, anyOf]);
  return {
    branches: doesBranch(components),
    comparesItems: all.some(({ uniqueItems, items }) => uniqueItems === true && !isScalar(items)),
    comparesValues:
      longestEnum > MANY || values.some((each) => Array.isArray(each) && each.some(isObject)),
    longestEnum,
    schemaCount: all.length,
    defaults: Math.max(0, ...new Set(all.map(({ properties }) => defaultsIn(properties)))),
    alternatives: Math.max(1, longest(choices)),
    required: longest(all.map(({ required }) => required)),
  };
}

/** Whether a schema of a component leads back to the component, and in another way to any that leads to itself. */
function doesBranch(components: SchemaForms['components']): boolean {
  const named = new Map(Object.entries(components).map(([name, form]) => [name, namesIn(form)]));
  const endless = endlessAmong(named);
  const isEndless = (way: unknown) => [...namesIn(way)].some((name) => endless.has(name));
  return [...endless].some((name) =>
    [...schemasIn(components[name])].some((schema) => {
      const ways = waysOn(schema).filter(isEndless);
      return ways.length > 1 && ways.some((way) => allNamed(namesIn(way), named).has(name));
    }),
  );
}

/** The components that lead to one that leads to itself. */
function endlessAmong(named: ReadonlyMap<string, Names>): Names {
  const left = new Set(named.keys());
  const leadsOn = (name: string) => [...(named.get(name) ?? [])].some((each) => left.has(each));
  for (let before = -1; left.size !== before; ) {
    before = left.size;
    // A component stands behind those that name it.
    for (const name of [...left].reverse()) if (!leadsOn(name)) left.delete(name);
  }
  return left;
}

/** The names, and those that they lead to. */
function allNamed(names: Names, named: ReadonlyMap<string, Names>): Names {
  const found = new Set(names);
  // A Set gives what is added to it while it is walked.
  for (const name of found) for (const each of named.get(name) ?? []) found.add(each);
  return found;
}

/** The components that a schema names. */
function namesIn(schema: unknown): Names {
  const names = [...schemasIn(schema)].flatMap(({ $ref }) =>
    typeof $ref === 'string' ? nameIn($ref) : [],
  );
  return new Set(names);
}

/** The parts of a schema that may all be asked of one value. */
function waysOn(schema: Schema): unknown[] {
  const { $ref, oneOf, anyOf, allOf, not, if: when, then, else: otherwise } = schema;
  const { dependentSchemas, patternProperties, contains } = schema;
  const { properties, additionalProperties, unevaluatedProperties } = schema;
  const { items, prefixItems, unevaluatedItems } = schema;
  const parts = Array.isArray(allOf) ? allOf : [];
  const kinds = kindsAmong(parts);
  return [
    ...[oneOf, anyOf, dependentSchemas, patternProperties].flatMap((each) =>
      Object.values(Object(each)),
    ),
    ...parts.filter((part) => !kinds.includes(part)),
    ...[{ $ref }, not, when, then, otherwise, contains],
    // A value is of one kind; a member or an item is asked by one of them.
    { anyOf: kinds },
    {
      anyOf: [
        ...Object.values(Object(properties)),
        ...[additionalProperties, unevaluatedProperties, items, unevaluatedItems],
        ...(Array.isArray(prefixItems) ? prefixItems : []),
      ],
    },
  ];
}

function defaultsIn(properties: unknown): number {
  return Object.values(Object(properties)).filter((each) => 'default' in Object(each)).length;
}

function longest(lists: readonly unknown[]): number {
  return lists.reduce<number>(
    (most, each) => (Array.isArray(each) ? Math.max(most, each.length) : most),
    0,
  );
}
