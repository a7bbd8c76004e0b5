import DataLoader from 'dataloader';
import type { Comment, Post, Store } from '../store/store.ts';

/** Reads what hangs on others for all of them at once: one statement for each level of an operation. */
export type Loaders = {
  readonly postsOfUser: DataLoader<number, Post[]>;
  readonly commentsOfPost: DataLoader<number, Comment[]>;
};

/** Loaders for one request; each is made when it is needed, which most are not. */
export function createLoaders({ posts, comments }: Store): Loaders {
  let postsOfUser: Loaders['postsOfUser'] | undefined;
  let commentsOfPost: Loaders['commentsOfPost'] | undefined;
  return {
    get postsOfUser() {
      postsOfUser ??= new DataLoader(async (ids) =>
        grouped(ids, await posts.ofUsers(ids), ({ userId }) => userId),
      );
      return postsOfUser;
    },
    get commentsOfPost() {
      commentsOfPost ??= new DataLoader(async (ids) =>
        grouped(ids, await comments.ofPosts(ids), ({ postId }) => postId),
      );
      return commentsOfPost;
    },
  };
}

function grouped<T>(ids: readonly number[], all: readonly T[], idOf: (each: T) => number): T[][] {
  const groups = Map.groupBy(all, idOf);
  return ids.map((id) => groups.get(id) ?? []);
}
