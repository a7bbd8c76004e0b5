import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Api } from '../../api-declaration.ts';
import { mockApi } from '../../mock-api.ts';
import { createLog } from '../../observe/log.ts';
import { readSettings } from '../../process/settings.ts';
import { serve } from '../../serve.ts';
import type { Contracts } from '../contract/contract-texts.ts';
import { apiFile, projectApi } from '../project.ts';

/** What is sent to show a change. */
export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A request and what was answered. */
export type Message = {
  readonly request: string;
  readonly answer: string;
  readonly isMock: boolean;
};

/** A server of one version of the contracts. */
export type Served = { ask(sent: Sent): Promise<Message>; stop(): Promise<void> };

/** Serves a version from its contracts alone; what nobody has written is made from them. */
export async function serveMock({ openapi, bundle, sdl }: Contracts): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'review-'));
  const files = { 'openapi.yaml': bundle?.text ?? openapi, 'schema.graphql': sdl };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const url = (name: string) => pathToFileURL(join(folder, name));
  const api = mockApi({
    ...(openapi && { openapi: url('openapi.yaml') }),
    ...(sdl && { graphql: url('schema.graphql') }),
    stateless: true,
  });
  try {
    const server = await started(api);
    return { ask: (sent) => exchange(server.url, sent), stop: () => server.stop() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Serves the project's own code where it has some, with the demo data, so that no request meets another's traces. */
export async function serveProject(after: Contracts): Promise<Served> {
  if (!apiFile(process.cwd())) return serveMock(after);
  const api = await projectApi(after.files);
  const stopping: Promise<void>[] = [];
  return {
    async ask(sent) {
      const server = await started(api);
      try {
        return await exchange(server.url, sent);
      } finally {
        // A server that stops waits a second for its connections.
        stopping.push(server.stop());
      }
    },
    stop: async () => void (await Promise.all(stopping)),
  };
}

async function started(api: Api) {
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', SEED_DEMO: 'true', MOCKS: 'allow' };
  return serve(api, { settings: readSettings(env), log: createLog('silent', () => {}) });
}

async function exchange(url: string, { method, path, headers, body }: Sent): Promise<Message> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, Connection: 'close' },
    redirect: 'manual',
    ...(body && { body }),
  });
  const isMock = answer.headers.get('Accord-Mock') === 'true';
  return {
    request: message(`${method} ${path}`, Object.entries(headers), indented(body)),
    answer: message(
      `${answer.status} ${answer.statusText}`,
      [...answer.headers].filter(([name]) => !incidental.test(name)),
      indented(await answer.text()),
    ),
    isMock,
  };
}

const incidental =
  /^(date|connection|content-length|transfer-encoding|accord-mock|keep-alive|x-request-id|retry-after|vary|.*-policy|x-.*-options|strict-.*|ratelimit.*)$/i;

function message(
  line: string,
  headers: readonly (readonly [string, string])[],
  body: string,
): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [line, ...lines, ...(body ? ['', cut(body)] : [])].join('\n');
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function cut(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)} …` : line));
  return lines.length > 40 ? [...lines.slice(0, 40), '…'].join('\n') : lines.join('\n');
}
