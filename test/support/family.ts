import { present } from '../../src/kit/errors.ts';
import type { GraphqlContext } from '../../src/kit/graphql/context.ts';
import { childrenOf, listOf } from '../../src/kit/graphql/list-fields.ts';
import { parentOf, recordOf } from '../../src/kit/graphql/record-fields.ts';
import { collectionHandlers } from '../../src/kit/rest/collection-handlers.ts';
import type { HandlerParts } from '../../src/kit/rest/handler.ts';
import { collection, type StoreOf } from '../../src/kit/store/table-declarations.ts';

type Parent = { readonly id: number; readonly name: string };
type Child = {
  readonly id: number;
  readonly parentId: number;
  readonly guardianId: number | null;
  readonly name: string;
};
type Toy = { readonly id: number; readonly childId: number; readonly name: string };

const refersTo = (table: string, onDelete: 'restrict' | 'cascade') =>
  ({ type: 'integer', references: { table, onDelete } }) as const;

/** Parents whom their children keep, and children who take their toys along. */
export const tables = {
  parents: collection<Parent>({ name: 'text' }),
  children: collection<Child>({
    parentId: refersTo('parents', 'restrict'),
    guardianId: { ...refersTo('parents', 'restrict'), type: 'integer | null' },
    name: 'text',
  }),
  toys: collection<Toy>({ childId: refersTo('children', 'cascade'), name: 'text' }),
};

export type Store = StoreOf<typeof tables>;

/** The statuses that the operations below declare for refusals: one path of children for each. */
export const refusals = {
  children: ['400', '404', '409', '412', '422'],
  strict: ['400', '404', '409', '412'],
  plain: ['400', '404', '412'],
  bare: ['400', '412'],
  ranges: ['4XX', '5XX'],
  open: ['default'],
  numbered: ['400', 'default'],
  unprocessed: ['400', '422'],
  silent: [],
} as const;

export type Place = keyof typeof refusals;
const places = Object.keys(refusals) as Place[];

export function handlers({ store }: HandlerParts<Store>) {
  const parents = collectionHandlers('/parents', store.parents);
  const children = collectionHandlers('/children', store.children);
  const toys = collectionHandlers('/toys', store.toys);
  const ofChildren = places.flatMap((place) => [
    [`${place}Create`, children.create],
    [`${place}Replace`, children.replace],
    [`${place}RemoveParent`, parents.remove],
  ]);
  return {
    ...Object.fromEntries(ofChildren),
    listParents: parents.list,
    createParent: parents.create,
    listChildren: children.list,
    getChild: children.get,
    removeChild: children.remove,
    listToys: toys.list,
    createToy: toys.create,
    // The parent is in the path.
    createChildOf: ({ path, body, headers }: Nested, context: never) =>
      children.create({ body: { ...body, parentId: path.parentId }, headers }, context),
    // Without a body, the parent in the path or in the query.
    createBabyOf: ({ path, headers }: Nested, context: never) =>
      children.create({ body: babyOf(path.parentId), headers }, context),
    createBaby: ({ query, headers }: Asked, context: never) =>
      children.create({ body: babyOf(query.parentId), headers }, context),
  };
}

const babyOf = (parentId: number) => ({ parentId, guardianId: null, name: 'baby' });

type ParentId = { readonly parentId: number };
type Nested = {
  readonly path: ParentId;
  readonly body: Omit<Child, 'id' | 'parentId'>;
  readonly headers: Record<never, never>;
};
type Asked = { readonly query: ParentId; readonly headers: Record<never, never> };

type Context = GraphqlContext<Store, never>;
type ChildFields = {
  readonly parentId: string;
  readonly guardianId?: string;
  readonly name: string;
};

/** The SDL of the family. */
export const graphql = `
type Query { parents: [Parent!]!, children: [Child!]!, child(id: ID!): Child }
type Mutation {
  createParent(name: String!): Parent!
  removeParent(id: ID!): Boolean!
  createChild(parentId: ID!, guardianId: ID, name: String!): Child!
  removeChild(id: ID!): Boolean!
}
type Parent { id: ID!, name: String!, children: [Child!]! }
type Child { id: ID!, name: String!, parent: Parent!, guardian: Parent, toys: [Toy!]! }
type Toy { id: ID!, name: String!, child: Child! }
`;

export const resolvers = {
  Query: {
    parents: listOf('Query.parents', (store: Store) => store.parents),
    children: listOf('Query.children', (store: Store) => store.children),
    child: recordOf((store: Store) => store.children),
  },
  Mutation: {
    createParent: async (_: unknown, fields: { readonly name: string }, { store }: Context) =>
      store.parents.find((await store.parents.create(fields)).id),
    removeParent: (_: unknown, { id }: { readonly id: string }, { store }: Context) =>
      store.parents.remove(Number(id)),
    createChild: async (_: unknown, fields: ChildFields, { store }: Context) => {
      const { parentId, guardianId, name } = fields;
      const guardian = guardianId === undefined ? null : Number(guardianId);
      const child = { parentId: Number(parentId), guardianId: guardian, name };
      return present(await store.children.find((await store.children.create(child)).id));
    },
    removeChild: (_: unknown, { id }: { readonly id: string }, { store }: Context) =>
      store.children.remove(Number(id)),
  },
  Parent: {
    children: childrenOf('Parent.children', (store: Store) => store.children.by('parentId')),
  },
  Child: {
    parent: parentOf('Child.parent', (store: Store) => store.parents, 'parentId'),
    guardian: parentOf('Child.guardian', (store: Store) => store.parents, 'guardianId'),
    toys: childrenOf('Child.toys', (store: Store) => store.toys.by('childId')),
  },
  Toy: { child: parentOf('Toy.child', (store: Store) => store.children, 'childId') },
};

const ref = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;
const body = (name: string) =>
  `requestBody: { required: true, content: { application/json: { schema: ${ref(name)} } } }`;
const answer = (status: number, schema: string) =>
  `'${status}': { description: Done, content: { application/json: { schema: ${schema} } } }`;
const refused = (statuses: readonly string[]) =>
  statuses
    .map(
      (status) =>
        `'${status}': { description: Refused, content: { application/problem+json: {} } }`,
    )
    .join(', ');
const id = '{ name: id, in: path, required: true, schema: { type: integer } }';
const page = ['limit', 'after']
  .map((name) => `{ name: ${name}, in: query, schema: { type: integer } }`)
  .join(', ');
const all = refused(refusals.children);

const list = (name: string, schema: string) => `    get:
      operationId: list${name}
      parameters: [${page}]
      responses: { ${answer(200, `{ type: array, items: ${ref(schema)} }`)}, ${all} }
`;
const create = (operation: string, schema: string, statuses: readonly string[]) => `    post:
      operationId: ${operation}
      ${body(`${schema}Input`)}
      responses: { ${[answer(201, ref(schema)), refused(statuses)].filter(Boolean).join(', ')} }
`;

/** The OpenAPI description of the family. */
export const openapi = `
openapi: 3.1.0
info: { title: Family, version: 1.0.0 }
paths:
  /parents:
${list('Parents', 'Parent')}${create('createParent', 'Parent', refusals.children)}
  /parents/{parentId}/children:
    parameters: [{ name: parentId, in: path, required: true, schema: { type: integer } }]
${create('createChildOf', 'Child', refusals.children).replace('ChildInput', 'NestedInput')}
  /parents/{parentId}/babies:
    parameters: [{ name: parentId, in: path, required: true, schema: { type: integer } }]
    post:
      operationId: createBabyOf
      responses: { ${answer(201, ref('Child'))}, ${refused(['400', '422'])} }
  /babies:
    post:
      operationId: createBaby
      parameters: [{ name: parentId, in: query, required: true, schema: { type: integer } }]
      responses: { ${answer(201, ref('Child'))}, ${refused(['400', '422'])} }
  /all-children:
${list('Children', 'Child')}
  /all-children/{id}:
    parameters: [${id}]
    get:
      operationId: getChild
      responses: { ${answer(200, ref('Child'))}, ${all} }
    delete:
      operationId: removeChild
      responses: { '204': { description: Gone }, ${all} }
  /toys:
${list('Toys', 'Toy')}${create('createToy', 'Toy', refusals.children)}
${places
  .map(
    (place) => `  /${place}:
${create(`${place}Create`, 'Child', refusals[place])}
  /${place}/{id}:
    parameters: [${id}]
    put:
      operationId: ${place}Replace
      ${body('ChildInput')}
      responses: { ${[answer(200, ref('Child')), refused(refusals[place])].filter(Boolean).join(', ')} }
  /${place}/parents/{id}:
    parameters: [${id}]
    delete:
      operationId: ${place}RemoveParent
      responses: { ${["'204': { description: Gone }", refused(refusals[place])].filter(Boolean).join(', ')} }
`,
  )
  .join('')}
components:
  schemas:
    ParentInput: { type: object, required: [name], properties: { name: { type: string } } }
    Parent: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    NestedInput:
      type: object
      required: [guardianId, name]
      properties: { guardianId: { type: [integer, 'null'] }, name: { type: string } }
    ChildInput:
      type: object
      required: [parentId, guardianId, name]
      properties: { parentId: { type: integer }, guardianId: { type: [integer, 'null'] }, name: { type: string } }
    Child:
      type: object
      required: [id, parentId, guardianId, name]
      properties: { id: { type: integer }, parentId: { type: integer }, guardianId: { type: [integer, 'null'] }, name: { type: string } }
    ToyInput: { type: object, required: [childId, name], properties: { childId: { type: integer }, name: { type: string } } }
    Toy:
      type: object
      required: [id, childId, name]
      properties: { id: { type: integer }, childId: { type: integer }, name: { type: string } }
`;
