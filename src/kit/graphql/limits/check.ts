import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  Kind,
  parse,
} from 'graphql';
import { maxLevels, measureDefinitions } from './definitions.ts';
import type { Limits } from './limits.ts';
import { type Measure, nothing, total } from './measure.ts';
import { refusal } from './refusal.ts';

/** Prepares a check that returns the first limit a document breaks, if it breaks any. */
export function checkWithin(
  limits: Limits,
  schema: GraphQLSchema,
): (document: DocumentNode) => GraphQLError | undefined {
  const introspection = introspectionLimits(schema);
  return (document) => {
    let whole = nothing;
    for (const [node, measure] of measureDefinitions(schema, document)) {
      whole = total([whole, measure]);
      if (measure.endless !== undefined) {
        const message = `Cannot spread fragment "${measure.endless}" within itself.`;
        return refusal('GRAPHQL_VALIDATION_FAILED', message, node);
      }
      const message =
        (isPlain(node) && definitionExcess(measure, limits, introspection)) ||
        documentExcess(whole);
      if (message) return refusal('QUERY_TOO_COMPLEX', message, node);
    }
    return undefined;
  };
}

type IntrospectionLimits = { readonly depth: number; readonly cost: number };

// Tools send the standard query, some with `__typename` added everywhere: as deep as that, and
// twice as costly, is what introspection may be.
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

// A fragment on `__Type` and the like is measured where an operation spreads it under `__schema`;
// any other is part of an operation, or unused, and no smaller where it is spread.
function isPlain(node: ExecutableDefinitionNode): boolean {
  return node.kind === Kind.OPERATION_DEFINITION || !node.typeCondition.name.value.startsWith('__');
}

function definitionExcess(
  measure: Measure,
  limits: Limits,
  introspection: IntrospectionLimits,
): string | undefined {
  if (measure.depth > limits.depth) {
    return `Depth limit exceeded: fields nest at most ${limits.depth} levels deep.`;
  }
  if (measure.cost > limits.cost) {
    return `Cost limit exceeded: an operation costs at most ${limits.cost}.`;
  }
  if (measure.aliases > limits.aliases) {
    return `Alias limit exceeded: an operation has at most ${limits.aliases} aliases.`;
  }
  if (measure.directives > limits.directives) {
    return `Directive limit exceeded: an operation has at most ${limits.directives} directives.`;
  }
  if (measure.introspectionDepth > introspection.depth) {
    return `Depth limit exceeded: introspection nests at most ${introspection.depth} levels deep.`;
  }
  if (measure.introspectionCost > introspection.cost) {
    return `Cost limit exceeded: introspection costs at most ${introspection.cost}.`;
  }
  return undefined;
}

function documentExcess(measure: Measure): string | undefined {
  if (measure.levels > maxLevels) {
    return `Nesting limit exceeded: fragments and literals nest at most ${maxLevels} levels deep.`;
  }
  if (measure.size > maxParts) {
    return `Size limit exceeded: a document has at most ${maxParts} fields, arguments and values.`;
  }
  return undefined;
}

// What the standard rules still visit quickly; far more than fits into the default tokens.
const maxParts = 10_000;
