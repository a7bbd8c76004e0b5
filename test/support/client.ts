import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type Contract, readContract } from '../../src/kit/contract/contract.ts';
import { violations } from '../../src/kit/contract/response-check.ts';

export type ApiRequest = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Buffer;
};

export type ApiResponse = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, parsed; undefined when there is none or it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  readonly json: any;
};

export type Client = (request: ApiRequest) => Promise<ApiResponse>;

/** Sends requests to a server and holds each response to the contract. */
export async function createClient(url: string, given?: Contract): Promise<Client> {
  const contract = given ?? (await readContract(new URL('../../openapi.yaml', import.meta.url)));
  const agent = new Agent({ keepAlive: true });
  return async (request) => {
    const response = await exchange(url, request, agent);
    const found = violations(contract, request.method ?? 'GET', request.path, response);
    if (!response.headers['x-request-id']) found.push('it has no X-Request-Id');
    if (found.length > 0) {
      const what = `${request.method ?? 'GET'} ${request.path} ${response.status}`;
      throw new Error(`${what} breaks the contract: ${found.join('; ')}\n${response.text}`);
    }
    return response;
  };
}

function exchange(url: string, request: ApiRequest, agent: Agent): Promise<ApiResponse> {
  const { hostname, port } = new URL(url);
  const body = request.json === undefined ? request.body : JSON.stringify(request.json);
  const type = request.json === undefined ? {} : { 'content-type': 'application/json' };
  const chunked = body === undefined || request.headers?.['transfer-encoding'] !== undefined;
  const length = chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      hostname,
      port,
      agent,
      method: request.method ?? 'GET',
      path: request.path,
      headers: { ...type, ...length, ...request.headers },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode: status = 0, headers } = incoming;
        resolve({ status, headers, text, json: parsed(text) });
      });
    });
    outgoing.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
