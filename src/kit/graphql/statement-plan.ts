import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  type VariableValues,
} from 'graphql';
import type { JsonMember, JsonQuery, JsonValue } from '../store/json-query.ts';
import { columnIn } from '../store/listable.ts';
import type { Listable } from '../store/store.ts';
import { collectedFields, fragmentsIn } from './collected-fields.ts';
import { fieldSource, type Source } from './field-source.ts';
import { type Ask, askAt, idAsked, listAsked, requireOrderOfId } from './statement-arguments.ts';
import { formOf } from './statement-forms.ts';

/** What an operation reads, as one statement reads it. */
export type Plan = {
  readonly query: JsonQuery;
  /** What it asks in each place; they throw where the resolvers may refuse the arguments. */
  readonly asked: readonly Ask[];
  /** What the caller must be allowed to do. */
  readonly actions: ReadonlySet<string>;
  /** The lists, by their coordinates, and how many fields each of their records shows. */
  readonly lists: readonly { readonly coordinate: string; readonly fields: number }[];
};

// SQLite's functions take up to 127 arguments, two for each of these.
const MOST_MEMBERS = 60;
const MOST_FIELDS = 100;

/**
 * Plans operations whose fields all come from tables by resolvers that say so, and from columns that have the bytes of
 * the field's type. Others have no plan: graphql executes them.
 */
export function createPlan(
  schema: GraphQLSchema,
  store: unknown,
): (
  operation: OperationDefinitionNode,
  document: DocumentNode,
  variables: VariableValues | undefined,
) => Plan | undefined {
  return (operation, document, variables) => {
    const fragments = fragmentsIn(document);
    const asked: Ask[] = [];
    const actions = new Set<string>();
    const lists: { coordinate: string; fields: number }[] = [];
    let count = 0;

    function membersOf(
      nodes: readonly { readonly selectionSet?: FieldNode['selectionSet'] }[],
      type: GraphQLObjectType,
      table: Listable | undefined,
    ): JsonQuery | undefined {
      const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      const fields = collectedFields(sets, type.name, fragments, variables);
      count += fields?.size ?? 0;
      if (!fields?.size || fields.size > MOST_MEMBERS || count > MOST_FIELDS) return undefined;
      if (type.isTypeOf) return undefined;
      const members: JsonMember[] = [];
      for (const [key, nodes] of fields) {
        const value = shownOf(nodes, type, table);
        if (!value) return undefined;
        members.push({ key, value });
      }
      return members;
    }

    function shownOf(
      nodes: readonly [FieldNode, ...FieldNode[]],
      parent: GraphQLObjectType,
      table: Listable | undefined,
    ): JsonValue | undefined {
      const [node] = nodes;
      if (node.name.value === '__typename') return { kind: 'constant', text: parent.name };
      const field = parent.getFields()[node.name.value];
      if (!field) return undefined;
      const { resolve = defaultFieldResolver, name } = field;
      if (resolve === defaultFieldResolver) return columnOf(table, name, field.type);
      const source = fieldSource(field);
      if (!source) return undefined;
      const { kind, action, tableIn } = source;
      if (kind === 'guarded') {
        if (action !== undefined) actions.add(action);
        return source.field === undefined ? undefined : columnOf(table, source.field, field.type);
      }
      const read = tableIn?.(store);
      if (!read) return undefined;
      if (kind === 'cursor') {
        asked.push(askAt(field, node, source, (args) => requireOrderOfId(read, args)));
        const isText = getNullableType(field.type) === GraphQLString;
        if (!isText || read.name !== table?.name) return undefined;
        return { kind: 'column', field: 'id', as: 'id', isNullable: false };
      }
      return recordsOf(nodes, field, source, read);
    }

    function recordsOf(
      nodes: readonly [FieldNode, ...FieldNode[]],
      declared: GraphQLField<unknown, unknown>,
      source: Source,
      read: Listable,
    ): JsonValue | undefined {
      const { type } = declared;
      const isNullable = !isNonNullType(type);
      const isList = source.kind === 'list' || source.kind === 'children';
      const object = isList ? itemOf(type) : getNullableType(type);
      if (!isObjectType(object)) return undefined;
      const at = asked.length;
      if (source.kind === 'record') asked.push(askAt(declared, nodes[0], source, idAsked));
      if (isList) asked.push(askAt(declared, nodes[0], source, (args) => listAsked(read, args)));
      const members = membersOf(nodes, object, read);
      if (!members) return undefined;
      const selection = { table: read.name, members };
      if (source.kind === 'record') return { kind: 'record', at, isNullable, ...selection };
      const { coordinate, field } = source;
      if (coordinate === undefined) return undefined;
      lists.push({ coordinate, fields: members.length });
      if (isList) return { kind: 'list', at, parent: source.fieldIn?.(store), ...selection };
      return field === undefined ? undefined : { kind: 'parent', field, isNullable, ...selection };
    }

    const root = schema.getRootType(operation.operation);
    const query = root ? membersOf([operation], root, undefined) : undefined;
    return query && { query, asked, actions, lists };
  };
}

function columnOf(
  table: Listable | undefined,
  field: string,
  type: GraphQLOutputType,
): JsonValue | undefined {
  const column = table && columnIn(table.columns, field);
  const as = column && formOf(column, type);
  return as && { kind: 'column', field, as, isNullable: !isNonNullType(type) };
}

/** The type of the items of a list. */
function itemOf(type: GraphQLOutputType): GraphQLOutputType | undefined {
  const list = getNullableType(type);
  return isListType(list) ? getNullableType(list.ofType) : undefined;
}
