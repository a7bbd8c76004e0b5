import type { ResolverMap } from './resolver-map.ts';

export const userRelations: ResolverMap['User'] = {
  email: async ({ email }, _, { authorize }) => {
    await authorize('read an e-mail address');
    return email;
  },
  posts: ({ id }, _, { loaders }) => loaders.postsOfUser.load(id),
};

export const postRelations: ResolverMap['Post'] = {
  comments: ({ id }, _, { loaders }) => loaders.commentsOfPost.load(id),
};
