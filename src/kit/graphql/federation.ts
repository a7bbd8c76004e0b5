import {
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type DocumentNode,
  Kind,
  parse,
  type TypeDefinitionNode,
  type TypeExtensionNode,
  type ValueNode,
  visit,
} from 'graphql';

/**
 * Adds what an SDL of a federated graph uses without declaring it: the directives of Apollo Federation 1 and 2,
 * under their names, with a prefix or as `@link` renames them. A type that such an SDL only extends is defined.
 */
export function withFederation(ast: DocumentNode, text: string): DocumentNode {
  if (!mayBeFederated(text)) return ast;
  const used = undeclaredDirectives(ast);
  const renamed = renamedBy(ast);
  const added = [...used].flatMap((name) => {
    const known = definitions.get(renamed.get(name) ?? name.replace(PREFIX, ''));
    return known ? [{ ...known, name: { ...known.name, value: name } }] : [];
  });
  if (added.length === 0) return ast;
  const needed = added.some(({ name }) => name.value === 'link') ? linkTypes : [];
  return { ...ast, definitions: [...ast.definitions.map(definedOnce(ast)), ...needed, ...added] };
}

/** Scalars that only the directives above use: no API fills them. */
export const federationScalars: ReadonlySet<string> = new Set(['link__Import']);

const PREFIX = /^(federation|link)__/;

// FieldSet and Scope are written as text and lists of text, so that no types are added for them.
const known = parse(
  `
  directive @link(url: String!, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
  directive @key(fields: String!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
  directive @requires(fields: String!) on FIELD_DEFINITION
  directive @provides(fields: String!) on FIELD_DEFINITION
  directive @external(reason: String) on OBJECT | FIELD_DEFINITION
  directive @extends on OBJECT | INTERFACE
  directive @shareable repeatable on OBJECT | FIELD_DEFINITION
  directive @override(from: String!, label: String) on FIELD_DEFINITION
  directive @interfaceObject on OBJECT
  directive @composeDirective(name: String!) repeatable on SCHEMA
  directive @authenticated on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
  directive @requiresScopes(scopes: [[String!]!]!) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
  directive @policy(policies: [[String!]!]!) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
  directive @context(name: String!) repeatable on OBJECT | INTERFACE | UNION
  directive @fromContext(field: String) on ARGUMENT_DEFINITION
  directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
  directive @tag(name: String!) repeatable on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION | SCHEMA
  directive @inaccessible on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION
  scalar link__Import
  enum link__Purpose { SECURITY EXECUTION }
`,
  { noLocation: true },
).definitions;

const definitions: ReadonlyMap<string, DirectiveDefinitionNode> = new Map(
  known
    .filter((node) => node.kind === Kind.DIRECTIVE_DEFINITION)
    .map((node) => [node.name.value, node]),
);
const linkTypes = known.filter((node) => node.kind !== Kind.DIRECTIVE_DEFINITION);

/** Whether a text may use one of these directives: a look at the text is cheaper than at each node. */
function mayBeFederated(text: string): boolean {
  const [, ...behind] = text.split('@');
  return behind.some((rest) => {
    const [name = ''] = /^\w*/.exec(rest) ?? [];
    // Between the sign and the name there may be spaces and comments.
    return name === '' || definitions.has(name.replace(PREFIX, ''));
  });
}

function undeclaredDirectives(ast: DocumentNode): Set<string> {
  const used = new Set<string>();
  visit(ast, { Directive: ({ name }) => void used.add(name.value) });
  for (const node of ast.definitions) {
    if (node.kind === Kind.DIRECTIVE_DEFINITION) used.delete(node.name.value);
  }
  return used;
}

/** The names under which `@link(import: [{ name: "@key", as: "@primary" }])` imports directives. */
function renamedBy(ast: DocumentNode): Map<string, string> {
  const renamed = new Map<string, string>();
  const text = (node: ValueNode | undefined) => (node?.kind === Kind.STRING ? node.value : '');
  visit(ast, {
    ObjectValue({ fields }) {
      const of = (key: string) => text(fields.find(({ name }) => name.value === key)?.value);
      if (of('as').startsWith('@')) renamed.set(of('as').slice(1), of('name').slice(1));
    },
  });
  return renamed;
}

const DEFINED: ReadonlyMap<string, string> = new Map([
  [Kind.OBJECT_TYPE_EXTENSION, Kind.OBJECT_TYPE_DEFINITION],
  [Kind.INTERFACE_TYPE_EXTENSION, Kind.INTERFACE_TYPE_DEFINITION],
]);

/** Makes the first extension of a type that is not defined its definition. */
function definedOnce(ast: DocumentNode): (node: DefinitionNode) => DefinitionNode {
  const defined = new Set(
    ast.definitions.map((node) =>
      'name' in node && node.kind.endsWith('TypeDefinition') ? node.name?.value : undefined,
    ),
  );
  return (node) => {
    const kind = DEFINED.get(node.kind);
    // The map has extensions of types only.
    const extension = node as TypeExtensionNode;
    if (!kind || defined.has(extension.name.value)) return node;
    defined.add(extension.name.value);
    // An extension has the same members as a definition, except for the description.
    return { ...extension, kind } as TypeDefinitionNode;
  };
}
