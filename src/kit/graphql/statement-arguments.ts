import {
  type ArgumentNode,
  type FieldNode,
  type GraphQLField,
  getArgumentValues,
  type VariableValues,
  visit,
} from 'graphql';
import { invalid } from '../errors.ts';
import type { JsonAsked } from '../store/json-query.ts';
import type { Listable } from '../store/store.ts';
import type { Source } from './field-source.ts';
import { askedByArguments, type ListArguments } from './list-arguments.ts';
import { byId } from './record-id.ts';

type Arguments = { readonly [name: string]: unknown };

export type Ask = (variables: VariableValues | undefined) => JsonAsked;

/** What a field asks by its arguments, read once where they have no variables. Throws where its resolver refuses them. */
export function askAt(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  { admits }: Source,
  make: (args: Arguments) => JsonAsked,
): Ask {
  const ask: Ask = (variables) => {
    const args = getArgumentValues(field, node, variables);
    if (admits && !admits(args)) throw invalid('/arguments', 'are out of bounds');
    return make(args);
  };
  if (hasVariable(node.arguments ?? [])) return ask;
  const constant = ask(undefined);
  return () => constant;
}

function hasVariable(nodes: readonly ArgumentNode[]): boolean {
  let isFound = false;
  for (const node of nodes) {
    visit(node, {
      Variable: () => {
        isFound = true;
      },
    });
  }
  return isFound;
}

export function idAsked({ id }: Arguments): JsonAsked {
  // It gives what it is given, if that is an id.
  const found = byId(String(id), (known) => known) as number | undefined;
  return { id: found };
}

export function listAsked(table: Listable, args: ListArguments): JsonAsked {
  return askedByArguments(table, args);
}

/** A cursor is the id where the records are in its order; others are not written in SQL. */
export function requireOrderOfId(table: Listable, args: ListArguments): JsonAsked {
  const { sort = [] } = askedByArguments(table, args);
  const [first] = sort;
  if (first && (first.field !== 'id' || first.isDescending)) {
    throw invalid('/sort', 'is another order');
  }
  return {};
}
