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
  books: collection<Book>({ title: 'text', pages: 'integer' }),
  tasks: collection<Schemas['Task']>({ title: 'text', done: 'boolean' }),
  notes: collection<Schemas['Note']>({ title: 'text', body: 'long text' }),
  items: collection<Schemas['Item']>({ name: 'text', quantity: 'integer' }),
  users: records<User>({ name: 'text', email: 'text' }, { unique: ['email'] }),
  posts: records<Post>({
    userId: { type: 'integer', references: { table: 'users', onDelete: 'restrict' } },
    title: 'text',
    body: 'text',
  }),
  comments: records<Comment>({
    postId: { type: 'integer', references: { table: 'posts', onDelete: 'restrict' } },
    body: 'text',
  }),
  todos: records<Todo>({ title: 'text', done: 'boolean' }),
};

export type Store = StoreOf<typeof tables>;
