import { type Contract, readContract } from '../../src/kit/contract/contract.ts';
import type { Response } from '../../src/kit/contract/response-check.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { serve } from '../../src/kit/serve.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import type { WireRequest } from './lane-requests.ts';
import { exchange } from './wire-exchange.ts';

type ForeignServers = {
  readonly contract: Contract;
  /** The addresses of a server with a fast lane and of one without. */
  readonly lane: string;
  readonly full: string;
  readonly log: readonly string[];
  stop(): Promise<void>;
};

/** Serves a contract that is not ours with mocks. */
export async function serveForeign(file: URL): Promise<ForeignServers> {
  const lines: string[] = [];
  const start = (lane: 'on' | 'off') =>
    serve(
      { openapi: file, mocks: { stateless: true }, lenient: true },
      {
        settings: readSettings({ ...atOnce, PORT: '0', FAST_LANE: lane, RESPONSE_SAMPLE: '0' }),
        log: createLog('error', (line) => lines.push(line)),
      },
    );
  const lane = await start('on');
  const full = await start('off');
  return {
    contract: await readContract(file, { lenient: true }),
    lane: lane.url,
    full: full.url,
    log: lines,
    async stop() {
      await Promise.all([lane.stop(), full.stop()]);
    },
  };
}

/** The answer to a request, as it came and as it is held against the contract. */
export async function answerOf(
  url: string,
  request: WireRequest,
): Promise<Response & { readonly raw: string }> {
  const raw = await exchange(url, [request]);
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const body = rest.join('\r\n\r\n');
  // An empty body in chunks is its last chunk.
  const text = body === '0\r\n\r\n' ? '' : Buffer.from(body, 'latin1').toString();
  const headers = lines.map((line) => {
    const mark = line.indexOf(':');
    return [line.slice(0, mark).toLowerCase(), line.slice(mark + 1).trim()] as const;
  });
  return {
    raw,
    text,
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    json: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
