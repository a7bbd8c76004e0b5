// slow: starts Redocly
import { describe, expect, it } from 'vitest';
import { affectedMethods } from '../../src/kit/cli/contract/affected-sdk.ts';
import { workingContracts } from '../../src/kit/cli/contract/contract-texts.ts';
import { reviewPacket } from '../../src/kit/cli/contract/review.ts';

const now = await workingContracts();

describe('npx accord review', () => {
  it('shows a change with the operations it touches, as they really answer', async () => {
    const before = {
      ...now,
      name: 'before',
      openapi: now.openapi.replace(/(operationId: replaceBook\n[\s\S]*?) {8}"412": .*\n/, '$1'),
      sdl: now.sdl.replace('name: String! @bounds(minLength: 1, maxLength: 200)', 'name: String!'),
    };
    const page = await reviewPacket(before, now);
    expect(page).toContain('BREAKING: 2 changes');
    expect(page).toContain('New: the response of PUT /books/{id}, answer 412.');
    expect(page).toContain(
      'What &#39;Mutation.createUser.name&#39; takes is narrower than it was.',
    );
    // The operation as it was executed, admitted and refused.
    expect(page).toMatch(/<h3>PUT \/books\/\{id\}<\/h3>[\s\S]*PUT \/books\/2\n[\s\S]*200 OK\n/);
    expect(page).toContain('400 Bad Request');
    expect(page).toMatch(/<h3>CreateUser<\/h3>[\s\S]*&#34;name&#34;: &#34;Grace&#34;/);
    expect(page).not.toContain('<h3>GET /tasks</h3>');
    expect(page).toContain('Book.id');
    // What it means to those who use the SDKs.
    expect(page).toMatch(/<td>changed<\/td><td><code>accord\.books\.replace<\/code>/);
    expect(page).toContain('<code>accord.graphql.create_user</code>');
    expect(page).not.toContain('<code>accord.tasks.list</code>');
  });

  it('names the SDK methods that come and go', () => {
    const without = (text: string) =>
      text.replace(/ {2}\/greet\/\{lang\}:\n[\s\S]*?(?=\n {2}\/)/, '');
    const smaller = { ...now, openapi: without(now.openapi) };
    const [method] = affectedMethods(now, smaller, [], []);
    expect(method).toEqual({ typescript: 'greetings.get', python: 'greetings.get', fate: 'gone' });
    expect(affectedMethods(smaller, now, ['getGreeting'], ['SetTodoDone'])).toEqual([
      { typescript: 'greetings.get', python: 'greetings.get', fate: 'new' },
      { typescript: 'graphql.setTodoDone', python: 'graphql.set_todo_done', fate: 'changed' },
    ]);
  });

  it('needs nothing but itself', async () => {
    const page = await reviewPacket({ ...now, name: 'before' }, now);
    expect(page).toContain('Nothing has changed.');
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(|@import/);
  });
});
