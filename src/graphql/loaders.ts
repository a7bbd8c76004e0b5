import DataLoader from 'dataloader';
import type { Comment, Post, Store } from '../store/store.ts';

/**
 * Reads what hangs on others for all of them at once, within one request: one statement for each level of
 * an operation. Each loader is made when it is needed, which most are not.
 */
export class Loaders {
  readonly #store: Store;
  #postsOfUser: DataLoader<number, Post[]> | undefined;
  #commentsOfPost: DataLoader<number, Comment[]> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  get postsOfUser(): DataLoader<number, Post[]> {
    const { posts } = this.#store;
    this.#postsOfUser ??= new DataLoader(async (ids) =>
      grouped(ids, await posts.ofUsers(ids), ({ userId }) => userId),
    );
    return this.#postsOfUser;
  }

  get commentsOfPost(): DataLoader<number, Comment[]> {
    const { comments } = this.#store;
    this.#commentsOfPost ??= new DataLoader(async (ids) =>
      grouped(ids, await comments.ofPosts(ids), ({ postId }) => postId),
    );
    return this.#commentsOfPost;
  }
}

function grouped<T>(ids: readonly number[], all: readonly T[], idOf: (each: T) => number): T[][] {
  const groups = Map.groupBy(all, idOf);
  return ids.map((id) => groups.get(id) ?? []);
}
