import type { components } from '../../generated/openapi.d.ts';
import { collection, records, type StoreOf } from '../kit/store/table-declarations.ts';

type Schemas = components['schemas'];

export type Book = Schemas['Book'];
export type User = { readonly id: number; readonly name: string; readonly email: string };
export type Post = {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
  readonly body: string;
};
export type Comment = { readonly id: number; readonly postId: number; readonly body: string };
export type Todo = { readonly id: number; readonly title: string; readonly done: boolean };

export const tables = {
  books: collection<Book>(
    { title: 'text', pages: 'integer' },
    { filter: ['title', 'pages'], sort: ['title', 'pages'] },
  ),
  tasks: collection<Schemas['Task']>(
    { title: 'text', done: 'boolean' },
    { filter: ['title', 'done'], sort: ['title', 'done'] },
  ),
  notes: collection<Schemas['Note']>(
    { title: 'text', body: 'long text' },
    { filter: ['title', 'body'], sort: ['title'] },
  ),
  items: collection<Schemas['Item']>(
    { name: 'text', quantity: 'integer' },
    { filter: ['name', 'quantity'], sort: ['name', 'quantity'] },
  ),
  // No filter and no order by `email`: they would tell it to those who may not read it.
  users: records<User>(
    { name: 'text', email: 'text' },
    { unique: ['email'], filter: ['name'], sort: ['name'] },
  ),
  posts: records<Post>(
    {
      userId: { type: 'integer', references: { table: 'users', onDelete: 'restrict' } },
      title: 'text',
      body: 'long text',
    },
    { filter: ['title', 'body'], sort: ['title'] },
  ),
  comments: records<Comment>(
    {
      postId: { type: 'integer', references: { table: 'posts', onDelete: 'restrict' } },
      body: 'long text',
    },
    { filter: ['body'] },
  ),
  todos: records<Todo>(
    { title: 'text', done: 'boolean' },
    { filter: ['title', 'done'], sort: ['title', 'done'] },
  ),
};

export type Store = StoreOf<typeof tables>;
