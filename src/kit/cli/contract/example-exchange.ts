import {
  type Document,
  type MediaTypeObject,
  type ParameterObject,
  type RequestBodyObject,
  resolve,
} from '../../contract/openapi-document.ts';
import type { Operation } from '../../contract/operation.ts';
import { createLog } from '../../observe/log.ts';
import { readSettings } from '../../process/settings.ts';
import { serve } from '../../serve.ts';
import { type ContractFiles, projectApi } from '../project.ts';

/** A request and what a server of the working tree really answered. */
export type Exchange = { readonly request: string; readonly answer: string };

type Sent = { readonly method: string; readonly path: string; readonly body?: unknown };

/** The contract's own example of an operation, and an empty body where it takes one. */
export function requestsFor(document: Document, operation: Operation): Sent[] {
  const { method, path } = operation;
  const item = Object(document.paths[path]);
  const { parameters = [], requestBody } = item[method.toLowerCase()];
  const all: ParameterObject[] = [...(item.parameters ?? []), ...parameters].map((each) =>
    resolve<ParameterObject>(document, each),
  );
  const filled = path.replaceAll(/\{([^}]*)\}/g, (_, name) =>
    String(exampleOf(document, Object(all.find((each) => each.name === name)))),
  );
  if (!requestBody) return [{ method, path: filled }];
  const { content } = resolve<RequestBodyObject>(document, requestBody);
  const media: MediaTypeObject = Object(content['application/json']);
  return [
    { method, path: filled, body: exampleOf(document, media) },
    { method, path: filled, body: {} },
  ];
}

/** Sends each request to a server of its own, with the demo data, so that none meets another's traces. */
export async function exchange(sent: Sent, files?: ContractFiles): Promise<Exchange> {
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', SEED_DEMO: 'true' };
  const silent = createLog('silent', () => {});
  const api = await projectApi(files);
  const server = await serve(api, { settings: readSettings(env), log: silent });
  try {
    const body = sent.body === undefined ? undefined : JSON.stringify(sent.body, null, 2);
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}${sent.path}`, {
      method: sent.method,
      headers: { ...headers, Connection: 'close' },
      ...(body !== undefined && { body }),
    });
    return {
      request: message(`${sent.method} ${sent.path}`, Object.entries(headers), body ?? ''),
      answer: message(
        `${answer.status} ${answer.statusText}`,
        [...answer.headers].filter(
          ([name]) => !/^(date|connection|content-length|transfer)/.test(name),
        ),
        indented(await answer.text()),
      ),
    };
  } finally {
    await server.stop();
  }
}

function exampleOf(document: Document, holder: object): unknown {
  const { examples = {}, example } = Object(holder);
  const [first] = Object.values<object>(examples);
  return first ? Object(resolve(document, first)).value : example;
}

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
  const lines = text.split('\n');
  return lines.length > 16 ? [...lines.slice(0, 16), '…'].join('\n') : text;
}
