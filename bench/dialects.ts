/** How a server asks for what the cases ask for, where it has a contract of its own. */
export type Dialect = {
  /** The query parameter that bounds a page. */
  readonly page: string;
  /** The status of a delete. */
  readonly deleted: number;
  /** GraphQL documents whose aliases give the contract's names. */
  readonly documents: Readonly<Record<'nested' | 'byVariables' | 'mutation', string>>;
  /** The data of an answer as the contract has it. */
  answered(data: Answered): unknown;
};

type Answered = {
  readonly book?: { readonly pages: unknown };
  readonly addTodo?: { readonly todo?: unknown };
};

/** What the contract says. */
export const contractDialect: Dialect = {
  page: 'limit',
  deleted: 204,
  documents: {
    nested: '{ users { id name posts { id title } } }',
    byVariables: 'query Book($id: ID!) { book(id: $id) { id title pages } }',
    mutation: 'mutation Add($title: String!) { addTodo(title: $title) { id title done } }',
  },
  answered: (data) => data,
};

export const jsonServerDialect: Dialect = { ...contractDialect, page: '_limit', deleted: 200 };

/** PostGraphile's own schema, made from the tables: numbers of 64 bits are text, a new record is in a payload. */
export const postgraphileDialect: Dialect = {
  ...contractDialect,
  documents: {
    nested:
      '{ users: allUsersList { id: rowId name posts: postsByUserIdList { id: rowId title } } }',
    byVariables:
      'query Book($id: BigInt!) { book: bookByRowId(rowId: $id) { id: rowId title pages } }',
    mutation:
      'mutation Add($title: String!) { addTodo: createTodo(input: { todo: { title: $title } }) { todo { id: rowId title done } } }',
  },
  answered: ({ book, addTodo, ...others }) => ({
    ...others,
    ...(book && { book: { ...book, pages: Number(book.pages) } }),
    ...(addTodo && { addTodo: addTodo.todo }),
  }),
};
