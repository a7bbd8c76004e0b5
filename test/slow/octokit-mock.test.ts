import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchLargeContracts, fetchOctokit } from '../../tools/support/large-contracts.ts';
import { type MockServer, serveMock } from '../support/mock-server.ts';

const files = await Promise.all([fetchLargeContracts(), fetchOctokit()]).catch((error) => {
  if (process.env.CI === 'true') throw error;
  return undefined;
});

type Answer = { readonly status: number; readonly data: Record<string, unknown> };
type Call = (parameters: object) => Promise<Answer>;

/** The parts of GitHub's clients that are used here. */
type Octokit = {
  readonly paginate: (call: Call, parameters: object) => Promise<Record<string, unknown>[]>;
  readonly rest: Readonly<Record<string, Readonly<Record<string, Call>>>>;
};
type Graphql = {
  (query: string, variables?: object): Promise<Record<string, Record<string, unknown>>>;
  defaults(parameters: object): Graphql;
};

describe.skipIf(!files)(
  'GitHub’s own clients on mocks of its contracts (skipped where the registry cannot be reached)',
  { timeout: 900_000 },
  () => {
    let server: MockServer;
    let octokit: Octokit;
    let graphql: Graphql;
    const at = { owner: 'octocat', repo: 'hello' };
    beforeAll(async () => {
      const [{ openapi, sdl } = { openapi: '', sdl: '' }, module = ''] = files ?? [];
      server = await serveMock({ openapi: pathToFileURL(openapi), graphql: pathToFileURL(sdl) });
      const clients = await import(/* @vite-ignore */ pathToFileURL(module).href);
      octokit = new clients.Octokit({ baseUrl: server.url, auth: 'any' });
      const headers = { authorization: 'bearer any' };
      graphql = clients.graphql.defaults({ baseUrl: server.url, headers });
    }, 300_000);
    afterAll(async () => {
      await server.stop();
      // No answer has broken the contract.
      expect(server.failures).toEqual([]);
    });
    const call = (group: string, name: string): Call => {
      const found = octokit.rest[group]?.[name];
      if (!found) throw new Error(`octokit has no ${group}.${name}`);
      return found;
    };

    it('counts all operations and root fields', () => {
      expect(server.mocked).toMatch(/^(\d+) of \1 operations and (\d+) of \2 fields are mocked$/);
    });

    it('get', async () => {
      const { data, status } = await call('repos', 'get')(at);
      expect(status).toBe(200);
      expect(data.full_name).toEqual(expect.any(String));
      expect((await call('users', 'getAuthenticated')({})).data.login).toEqual(expect.any(String));
    });

    it('create, change, and list with pagination', async () => {
      const before = await octokit.paginate(call('issues', 'listForRepo'), { ...at, per_page: 2 });
      const made: unknown[] = [];
      for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
        const { data, status } = await call('issues', 'create')({ ...at, title, labels: ['bug'] });
        expect([status, data.title]).toEqual([201, title]);
        made.push(data.number);
      }
      const issue_number = made[0];
      await call('issues', 'update')({ ...at, issue_number, title: 'Changed' });
      const { data } = await call('issues', 'get')({ ...at, issue_number });
      expect([data.number, data.title]).toEqual([issue_number, 'Changed']);
      const listed = await octokit.paginate(call('issues', 'listForRepo'), { ...at, per_page: 2 });
      expect(listed.length).toBe(before.length + made.length);
      expect(listed.map(({ number }) => number)).toEqual(expect.arrayContaining(made));
      expect(new Set(listed.map(({ number }) => number)).size).toBe(listed.length);
    });

    it('delete, and then find nothing', async () => {
      const label = { ...at, name: 'urgent' };
      await call('issues', 'createLabel')({ ...label, color: 'f29513' });
      expect((await call('issues', 'getLabel')(label)).data.color).toBe('f29513');
      await call('issues', 'deleteLabel')(label);
      await expect(call('issues', 'getLabel')(label)).rejects.toMatchObject({ status: 404 });
    });

    it('are refused for an invalid body', async () => {
      const refused = call('issues', 'create')({ ...at, title: { not: 'text' } });
      await expect(refused).rejects.toMatchObject({ status: 400 });
    });

    it('get a viewer and a repository by GraphQL', async () => {
      const { viewer } = await graphql('{ viewer { login } }');
      expect(viewer?.login).toEqual(expect.any(String));
      const { repository } = await graphql(
        `query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {
           name issues(first: 2) { totalCount nodes { title author { login } } pageInfo { hasNextPage } }
         } }`,
        { owner: 'octocat', name: 'hello' },
      );
      expect(repository).toMatchObject({
        name: 'hello',
        issues: { totalCount: 3, pageInfo: { hasNextPage: true } },
      });
    });
  },
);
