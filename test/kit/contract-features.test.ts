// engines: sqlite
// slow: serves some 170 features with and without the fast lane
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/kit/http/exchange.ts';
import type { AnyHandlers } from '../../src/kit/rest/handler.ts';
import { createLane } from '../../src/kit/rest/lane.ts';
import { type Ask, components, type Feature, features } from '../support/contract-features.ts';
import { serveContract } from '../support/contract-server.ts';
import { sdlFeatures } from '../support/sdl-features.ts';

type Asked = Feature & { readonly asks: readonly Ask[] };
type Placed = { readonly feature: Feature; readonly path: string };

const all = Object.values(features).flat();
const placed = all.map((feature, i) => ({ feature, path: `/feature${i}` }));
const pathOf = (feature: Feature) => placed.find((each) => each.feature === feature)?.path ?? '';
const servers = new Map<string, Promise<Server>>();
afterAll(async () => {
  const started = await Promise.all(servers.values());
  await Promise.all(started.map((server) => server.stop()));
});

describe.each(Object.entries(features))('%s', (_, group) => {
  const served = group.filter((each): each is Asked => 'asks' in each);
  it.each(served.map((feature) => [feature.name, feature.how, feature] as const))(
    '%s: %s',
    async (_name, how, feature) => {
      const server = await serverOf(feature);
      const byLane: boolean[] = [];
      for (const ask of feature.asks) {
        const { status = 200, answer, answerHeaders = {} } = ask;
        const [fast, full] = await server.asked(feature, ask);
        const said = `${JSON.stringify(ask)}: ${full.text}`;
        expect([fast.status, full.status], said).toEqual([status, status]);
        expect(fast.text, said).toBe(full.text);
        if (typeof answer === 'string') expect(full.text).toBe(answer);
        else if (answer !== undefined) expect(JSON.parse(full.text)).toMatchObject(Object(answer));
        expect(full.headers).toMatchObject(answerHeaders);
        if (status < 300) byLane.push(fast.isOfLane);
      }
      if (byLane.length > 0) expect(byLane.includes(true)).toBe(how === 'lane');
    },
  );

  const refused = group.filter((each) => each.how === 'refused');
  it.each(refused.map((feature) => [feature.name, feature] as const))(
    '%s: refused at start, with its line',
    async (_name, feature) => {
      const started = serveContract(documentOf([place(feature)]), handlers(), feature.api);
      await expect(started).rejects.toThrow(/^openapi\.yaml:\d+:\d+: /);
      await expect(started).rejects.toThrow(Reflect.get(feature, 'line'));
    },
  );
});

it.each([...all.flatMap((each) => ('test' in each ? [each] : [])), ...sdlFeatures])(
  '$name has its test',
  ({ test: [file, text] }) => {
    expect(readFileSync(file, 'utf8')).toContain(text);
  },
);

// `npx vitest run --config .vitest.config.ts --project sqlite test/kit/contract-features.test.ts -u` writes it.
it('docs/contracts.md has exactly these rows', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/contracts.md');
});

type Answer = {
  readonly status: number;
  readonly text: string;
  readonly headers: Exchange['request']['headers'];
  readonly isOfLane: boolean;
};
type Server = {
  /** The answers with and without the fast lane. */
  asked(feature: Feature, ask: Ask): Promise<readonly [Answer, Answer]>;
  stop(): Promise<void>;
};

/** Features that say nothing about the document as a whole share a server for each version. */
function serverOf(feature: Feature): Promise<Server> {
  const isShared = (each: Feature) => !each.document && each.how !== 'refused' && each.item;
  const version = feature.version ?? '3.1.0';
  const key = isShared(feature) ? version : feature.name;
  const some = isShared(feature)
    ? placed.filter(
        (each) => isShared(each.feature) && (each.feature.version ?? '3.1.0') === version,
      )
    : [place(feature)];
  const server = servers.get(key) ?? start(some);
  servers.set(key, server);
  return server;
}

async function start(some: readonly Placed[]): Promise<Server> {
  const api = some[0]?.feature.document ? some[0].feature.api : {};
  const byLane = new Map<string, Promise<boolean>>();
  let lane: ReturnType<typeof createLane> = () => undefined;
  const tap = (exchange: Exchange) => {
    byLane.set(exchange.id, Promise.resolve(lane(exchange)).then(Boolean));
  };
  const text = documentOf(some);
  const fast = await serveContract(text, handlers(), { ...api, fastLane: true, tap });
  const full = await serveContract(text, handlers(), { ...api });
  // The server's own is not to be had: this one is given the same exchange.
  lane = createLane(fast.contract);
  const ask = async (url: string, feature: Feature, each: Ask): Promise<Answer> => {
    const answer = await sent(url, pathOf(feature), each);
    const isOfLane = await byLane.get(String(answer.headers['x-request-id']));
    return { ...answer, isOfLane: isOfLane ?? false };
  };
  return {
    asked: async (feature, each) => [
      await ask(fast.url, feature, each),
      await ask(full.url, feature, each),
    ],
    stop: async () => {
      await fast.stop();
      await full.stop();
    },
  };
}

function place(feature: Feature): Placed {
  return { feature, path: pathOf(feature) };
}

function documentOf(some: readonly Placed[]): string {
  const paths = some.map(({ feature: { item = {}, suffix = '' }, path }) => [path + suffix, item]);
  const { version = '3.1.0', document = {} } = some[0]?.feature ?? {};
  const whole = {
    openapi: version,
    info: { title: 'T', version: '1' },
    paths: Object.fromEntries(paths),
  };
  // JSON Schema is not yet that of 3.0.
  const { Never: _, Holder: __, ...old } = components.schemas;
  const own = version === '3.0.3' ? { schemas: old } : components;
  return JSON.stringify({ ...whole, components: own, ...document }, null, 1);
}

/** A handler for every operation: gives back the input, unless its feature has a reply of its own. */
function handlers(): AnyHandlers {
  const get = (_: object, id: string) => async (input: { readonly body?: unknown }) => {
    const reply = all[Number(/Feature(\d+)/.exec(id)?.[1])]?.reply;
    if (reply) return typeof reply === 'function' ? reply() : reply;
    const { body } = input;
    const text = body instanceof Readable ? (await body.toArray()).join('') : body;
    return { status: 200, body: JSON.stringify({ ...input, body: text }) };
  };
  return new Proxy({}, { get });
}

/** Over node:http: fetch sends no TRACE. */
function sent(url: string, path: string, { prefix = '', target = '', ...ask }: Ask) {
  const { body, headers = {} } = ask;
  const text = typeof body === 'string' && headers['content-type'] ? body : JSON.stringify(body);
  const method = ask.method ?? (text === undefined ? undefined : 'POST');
  const json = text === undefined ? {} : { 'content-type': 'application/json' };
  const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
  return new Promise<Omit<Answer, 'isOfLane'>>((resolve, reject) => {
    const outgoing = httpRequest(`${url}${prefix}${path}${target}`, {
      method: method ?? 'GET',
      agent: false,
      headers: { ...json, ...length, ...headers },
    });
    outgoing.on('error', reject).on('response', (response) => {
      const whole = response.toArray();
      whole.then((chunks) => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(chunks).toString() });
      }, reject);
    });
    outgoing.end(text);
  });
}

function page(): string {
  const rows = (group: readonly Feature[]) =>
    group.map(({ name, how, note = '', ...rest }) => {
      const test = 'test' in rest ? ` ([test](../${rest.test[0]}))` : '';
      return `| ${cell(name)} | ${words[how]} | ${cell(note)}${test} |`;
    });
  const sections = Object.entries(features).flatMap(([title, group]) => [
    `### ${title}\n`,
    '| feature | | |\n| --- | --- | --- |',
    ...rows(group),
    '',
  ]);
  const sdl = sdlFeatures.map(
    ({ name, how, note = '', test: [file] }) =>
      `| ${cell(name)} | ${how === 'served' ? 'served' : words.refused} | ${cell(note)} | [${file.split('/').at(-1)}](../${file}) |`,
  );
  return `${INTRODUCTION}\n${sections.join('\n')}\n${SDL}\n${sdl.join('\n')}\n`;
}

const words = { lane: 'lane', 'full path': 'full path', refused: '**refused**' };

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

const INTRODUCTION = `# What of a contract is served

Every feature of OpenAPI 3.0, 3.1 and 3.2, of JSON Schema 2020-12 and of the GraphQL SDL. There is no third way beside
served and refused: nothing is silently ignored.

- **lane**: a valid request is answered before Express ([architecture](architecture.md)), and by the full path in the
  same words.
- **full path**: answered by way of express-openapi-validator.
- **refused**: the start ends with one line: file, line, column and the feature's name.

Each row of OpenAPI is a test of that name in [contract-features.test.ts](../test/kit/contract-features.test.ts), which
serves the feature with and without the lane, unless the row names another. This page is written by that test
(\`npx vitest run --config .vitest.config.ts --project sqlite test/kit/contract-features.test.ts -u\`); one that is not
as the rows are fails.

A contract that is not one's own, to be mocked or proxied, may have faults that leave one meaning: they are warnings there.

## OpenAPI
`;
const SDL = `## GraphQL SDL

| feature | | | test |
| --- | --- | --- | --- |`;
