// engines: sqlite, postgres
import { expect, it } from 'vitest';
import { useServer } from '../support/api-server.ts';

const { graphql, statements } = useServer();

it('100 users with their posts and comments take three statements', async () => {
  for (let i = 0; i < 100; i++) {
    const user = await graphql(
      `mutation { createUser(name: "${i}", email: "u${i}@example.com") { id } }`,
    );
    const { id } = user.json.data.createUser;
    const posts = ['a', 'b']
      .map((title) => `${title}: createPost(userId: ${id}, title: "${title}", body: "") { id }`)
      .join(' ');
    const { json } = await graphql(`mutation { ${posts} }`);
    await graphql(`mutation { addComment(postId: ${json.data.a.id}, body: "first") { body } }`);
    await graphql(`mutation { addComment(postId: ${json.data.a.id}, body: "second") { body } }`);
  }
  const before = statements();
  const { json } = await graphql('{ users { name posts { title comments { body } } } }');
  expect(statements() - before).toBe(3);
  expect(json.data.users.length).toBe(100);
  for (const { posts } of json.data.users) {
    expect(posts).toEqual([
      { title: 'a', comments: [{ body: 'first' }, { body: 'second' }] },
      { title: 'b', comments: [] },
    ]);
  }
});
