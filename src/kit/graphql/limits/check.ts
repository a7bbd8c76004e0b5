import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  Kind,
  parse,
} from 'graphql';
import { codedError } from '../graphql-errors.ts';
import { type ListCost, maxLevels, measureDefinitions } from './definitions.ts';
import type { Limits } from './limits.ts';
import { type Measure, nothing, total } from './measure.ts';

/** What the lists of a document cost in the answer. */
export type AnswerCosts = {
  /** By the list's coordinate, such as `Query.things`: the most that it costs where it is selected. */
  readonly ofList: ReadonlyMap<string, ListCost>;
  /** The most times that aliases can repeat a list that is read once. */
  readonly copies: number;
};

/** Prepares a check that gives the first limit that a document exceeds, or else what its lists cost. */
export function checkWithin(
  limits: Limits,
  schema: GraphQLSchema,
): (document: DocumentNode) => { readonly excess: GraphQLError } | { readonly costs: AnswerCosts } {
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
    let copies = 1;
    let whole = nothing;
    for (const [node, measure] of measureDefinitions(schema, document, onList)) {
      whole = total([whole, measure]);
      copies = Math.max(copies, 1 + measure.aliases);
      if (measure.endless !== undefined) {
        const message = `Cannot spread fragment "${measure.endless}" within itself.`;
        return { excess: codedError('GRAPHQL_VALIDATION_FAILED', message, { nodes: node }) };
      }
      const bounds = isMeasuredAlone(node)
        ? [...boundsOfDefinition(measure, limits, introspection), ...boundsOfDocument(whole)]
        : boundsOfDocument(whole);
      const broken = bounds.find(([value, most]) => value > most);
      if (broken) {
        const [, most, text] = broken;
        const message = text.replace('#', String(most));
        return { excess: codedError('QUERY_TOO_COMPLEX', message, { nodes: node }) };
      }
    }
    return { costs: { ofList, copies } };
  };
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

function boundsOfDefinition(
  m: Measure,
  limits: Limits,
  introspection: IntrospectionLimits,
): Bound[] {
  const { depth, cost, aliases, directives } = limits;
  return [
    [m.depth, depth, 'Depth limit exceeded: fields nest at most # levels deep.'],
    [m.cost, cost, 'Cost limit exceeded: an operation costs at most #.'],
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
