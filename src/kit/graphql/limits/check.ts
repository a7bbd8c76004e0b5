import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { codedError } from '../graphql-errors.ts';
import { costWith, type ListCost, maxLevels, measureDefinitions } from './definitions.ts';
import type { Limits } from './limits.ts';
import { type Measure, nothing, total } from './measure.ts';

/** What the lists of a document cost in the answer. */
export type AnswerCosts = {
  /** By the list's coordinate, such as `Query.things`: the most that it costs where it is selected. */
  readonly ofList: ReadonlyMap<string, ListCost>;
  /** The most times that aliases can repeat a list that is read once. */
  readonly copies: number;
};

export type Checked = {
  readonly costs: AnswerCosts;
  /** Gives the limit that an operation exceeds with these variables; undefined where none decides its cost. */
  readonly excessWith: ExcessWith | undefined;
};

type ExcessWith = (
  operation: OperationDefinitionNode,
  variables: { readonly [name: string]: unknown } | null | undefined,
) => GraphQLError | undefined;

/** Prepares a check that gives the first limit that a document exceeds, or else what its lists cost. */
export function checkWithin(
  limits: Limits,
  schema: GraphQLSchema,
): (document: DocumentNode) => { readonly excess: GraphQLError } | Checked {
  const introspection = introspectionLimits(schema);
  return (document) => {
    const ofList = new Map<string, ListCost>();
    const onList = (list: string, { ofRecord, copies }: ListCost) => {
      const known = ofList.get(list);
      ofList.set(list, {
        ofRecord: Math.max(ofRecord, known?.ofRecord ?? 0),
        copies: Math.max(copies, known?.copies ?? 0),
      });
    };
    let isVariable = false;
    // The least that the document can cost; `excessWith` knows more.
    const numberOf = () => {
      isVariable = true;
      return 0;
    };
    let copies = 1;
    let whole = nothing;
    for (const [node, measure] of measureDefinitions(schema, document, { onList, numberOf })) {
      whole = total([whole, measure]);
      copies = Math.max(copies, 1 + measure.aliases);
      if (measure.endless !== undefined) {
        const message = `Cannot spread fragment "${measure.endless}" within itself.`;
        return { excess: codedError('GRAPHQL_VALIDATION_FAILED', message, { nodes: node }) };
      }
      const bounds = isMeasuredAlone(node)
        ? [...boundsOfDefinition(measure, limits, introspection), ...boundsOfDocument(whole)]
        : boundsOfDocument(whole);
      const broken = bounds.find(isBroken);
      if (broken) {
        return { excess: excessOf(broken, node) };
      }
    }
    const excessWith: ExcessWith = (operation, variables) => {
      const given = (name: string) => wholeNumber(operation, variables, name);
      const bound = costBound(costWith(schema, document, operation, given), limits);
      return isBroken(bound) ? excessOf(bound, operation) : undefined;
    };
    return { costs: { ofList, copies }, excessWith: isVariable ? excessWith : undefined };
  };
}

/** The whole number that a variable has, or else its default. */
function wholeNumber(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: { readonly [name: string]: unknown } | null | undefined,
  name: string,
): number | undefined {
  const value = variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value !== undefined) return typeof value === 'number' ? value : undefined;
  const { defaultValue } =
    variableDefinitions.find((node) => node.variable.name.value === name) ?? {};
  return defaultValue?.kind === Kind.INT ? Number(defaultValue.value) : undefined;
}

function excessOf([, most, text]: Bound, nodes: ExecutableDefinitionNode): GraphQLError {
  return codedError('QUERY_TOO_COMPLEX', text.replace('#', String(most)), { nodes });
}

type IntrospectionLimits = Pick<Limits, 'depth' | 'cost'>;

// Tools send the standard query, some with `__typename` added everywhere: introspection may be as
// deep as that, and twice as costly.
function introspectionLimits(schema: GraphQLSchema): IntrospectionLimits {
  const query = getIntrospectionQuery({
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    experimentalDirectiveDeprecation: true,
    oneOf: true,
  });
  const measures = [...measureDefinitions(schema, parse(query))];
  const standard = total(measures.map(([, measure]) => measure));
  return { depth: standard.introspectionDepth, cost: 2 * standard.introspectionCost };
}

// Fragments on introspection types are measured only where an operation spreads them. Any other fragment is checked
// alone: an operation that spreads it is at least as large.
function isMeasuredAlone(node: ExecutableDefinitionNode): boolean {
  return node.kind === Kind.OPERATION_DEFINITION || !node.typeCondition.name.value.startsWith('__');
}

/** A value, the most that it may be, and the message where it is more. */
type Bound = readonly [value: number, most: number, message: string];

// None of Infinity is NaN.
function isBroken([value, most]: Bound): boolean {
  return !(value <= most);
}

function boundsOfDefinition(
  m: Measure,
  limits: Limits,
  introspection: IntrospectionLimits,
): Bound[] {
  const { depth, aliases, directives } = limits;
  return [
    [m.depth, depth, 'Depth limit exceeded: fields nest at most # levels deep.'],
    costBound(m.cost, limits),
    [m.aliases, aliases, 'Alias limit exceeded: an operation has at most # aliases.'],
    [m.directives, directives, 'Directive limit exceeded: an operation has at most # directives.'],
    [
      m.introspectionDepth,
      introspection.depth,
      'Depth limit exceeded: introspection nests at most # levels deep.',
    ],
    [
      m.introspectionCost,
      introspection.cost,
      'Cost limit exceeded: introspection costs at most #.',
    ],
  ];
}

function costBound(cost: number, limits: Limits): Bound {
  return [cost, limits.cost, 'Cost limit exceeded: an operation costs at most #.'];
}

function boundsOfDocument({ levels, size }: Measure): Bound[] {
  return [
    [
      levels,
      maxLevels,
      'Nesting limit exceeded: fragments and literals nest at most # levels deep.',
    ],
    [size, maxParts, 'Size limit exceeded: a document has at most # fields, arguments and values.'],
  ];
}

// The standard rules still visit so many quickly; far more than fits into the default tokens.
const maxParts = 10_000;
