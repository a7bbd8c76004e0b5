import DataLoader from 'dataloader';
import type { AnswerBudget } from '../kit/graphql/answer-budget.ts';
import { pagesOf } from '../kit/graphql/pages.ts';
import type { Comment, Post, Store } from '../kit/store/store.ts';

/**
 * Reads what hangs on others for all of them at once, within one request: one statement for each level of
 * an operation. Each loader is made when it is needed, which most are not.
 */
export class Loaders {
  readonly #store: Store;
  readonly #budget: () => AnswerBudget;
  #postsOfUser: DataLoader<number, Post[]> | undefined;
  #commentsOfPost: DataLoader<number, Comment[]> | undefined;

  constructor(store: Store, budget: () => AnswerBudget) {
    this.#store = store;
    this.#budget = budget;
  }

  get postsOfUser(): DataLoader<number, Post[]> {
    const { posts } = this.#store;
    this.#postsOfUser ??= new DataLoader(async (ids) => {
      const all = await this.#budget().readAll({
        name: 'User.posts',
        read: pagesOf<Post>((page) => posts.ofUsers(ids, page)),
        lengthOf: ({ title, body }) => title.length + body.length,
        isShared: true,
      });
      return grouped(ids, all, ({ userId }) => userId);
    });
    return this.#postsOfUser;
  }

  get commentsOfPost(): DataLoader<number, Comment[]> {
    const { comments } = this.#store;
    this.#commentsOfPost ??= new DataLoader(async (ids) => {
      const all = await this.#budget().readAll({
        name: 'Post.comments',
        read: pagesOf<Comment>((page) => comments.ofPosts(ids, page)),
        lengthOf: ({ body }) => body.length,
        isShared: true,
      });
      return grouped(ids, all, ({ postId }) => postId);
    });
    return this.#commentsOfPost;
  }
}

function grouped<T>(ids: readonly number[], all: readonly T[], idOf: (each: T) => number): T[][] {
  const groups = Map.groupBy(all, idOf);
  return ids.map((id) => groups.get(id) ?? []);
}
