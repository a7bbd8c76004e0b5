import {
  type ASTNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NameNode,
  print,
} from 'graphql';

/** A part of an SDL that is defined twice. */
export type Repeat = {
  readonly message: string;
  readonly node: ASTNode;
  /** Whether both definitions are alike, so that the SDL has one meaning. */
  readonly isAlike: boolean;
};

/** Leaves out the fields and enum values that are defined a second time, and tells which those are. */
export function withoutRepeats(ast: DocumentNode): {
  readonly ast: DocumentNode;
  readonly repeats: readonly Repeat[];
} {
  const repeats: Repeat[] = [];
  const definitions = ast.definitions.map((node): typeof node => {
    switch (node.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION:
        return { ...node, fields: distinct<FieldDefinitionNode>('Field', node, node.fields) };
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        return { ...node, fields: distinct<InputValueDefinitionNode>('Field', node, node.fields) };
      case Kind.ENUM_TYPE_DEFINITION:
        return { ...node, values: distinct('Enum value', node, node.values) };
      default:
        return node;
    }
  });

  function distinct<T extends Named>(kind: string, owner: Named, members: readonly T[] = []): T[] {
    const seen = new Map<string, T>();
    return members.filter((member) => {
      const name = member.name.value;
      const first = seen.get(name);
      if (!first) return seen.set(name, member);
      repeats.push({
        message: `${kind} "${owner.name.value}.${name}" can only be defined once.`,
        node: member.name,
        isAlike: bare(member) === bare(first),
      });
      return false;
    });
  }

  return { ast: { ...ast, definitions }, repeats };
}

type Named = ASTNode & { readonly name: NameNode };

const bare = (node: ASTNode) => print({ ...node, description: undefined } as ASTNode);
