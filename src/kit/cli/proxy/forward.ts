import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { hasBody } from '../../http/body.ts';
import { isServerWide, localTarget } from '../../http/target.ts';
import { isEndless, transferCodings } from './taken-body.ts';

/** The server that requests are passed on to. */
export type Upstream = {
  /** Begins a request with the method, target and headers of another; `onAnswer` gets the answer. */
  open(asked: IncomingMessage, on: Listeners): Opened;
};

type Listeners = {
  readonly onAnswer: (answer: IncomingMessage) => void;
  /** Before the answer: it cannot be reached or has cut the connection. Also within the answer: it is too slow. */
  readonly onFailure: (failure: Failure) => void;
};

export type Failure = { readonly status: 502 | 504; readonly detail: string };

export type Opened = {
  /** Undefined where the request has no body. */
  readonly body: ClientRequest | undefined;
  cancel(): void;
};

// As large as servers commonly take them.
export const MOST_HEADERS = 65_536;

/**
 * Passes requests on unchanged, apart from hop-by-hop headers and Host, which is that of the address. Each has a
 * connection of its own: on one that is kept, an answer that nobody has asked for is taken for that of the next request.
 */
export function createUpstream(address: URL, patience: number): Upstream {
  const isSecure = address.protocol === 'https:';
  const options = { keepAlive: false };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const begin = isSecure ? httpsRequest : httpRequest;
  const prefix = address.pathname.replace(/\/$/, '');
  const { hostname, port, host } = address;

  function open(asked: IncomingMessage, on: Listeners): Opened {
    const { method = 'GET', url = '/' } = asked;
    const withBody = hasBody(asked);
    let answer: IncomingMessage | undefined;
    let isAwaited = true;
    const sent = begin({
      // An address in brackets is not a host name.
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      ...(port && { port }),
      method,
      path: isServerWide(asked) ? '*' : prefix + localTarget(url),
      headers: requestHeaders(asked, host),
      agent,
      maxHeaderSize: MOST_HEADERS,
    });
    const timer = setTimeout(() => {
      // The client is slow: how long an upload may take is for the server to say, how long a download for the client.
      const isUploading = withBody && !asked.readableEnded && !sent.writableNeedDrain;
      if (isUploading || answer?.isPaused()) {
        timer.refresh();
        return;
      }
      stopWaiting();
      on.onFailure(tooSlow(patience));
      sent.destroy();
    }, patience);
    const goOn = () => void (isAwaited && timer.refresh());
    const stopWaiting = () => {
      isAwaited = false;
      clearTimeout(timer);
    };
    if (withBody) asked.on('data', goOn);
    sent.on('response', (received) => {
      const { statusCode = 0 } = received;
      if (statusCode < 100) {
        stopWaiting();
        const detail = `The server has answered with status ${statusCode}.`;
        on.onFailure({ status: 502, detail });
        sent.destroy();
        return;
      }
      answer = received;
      goOn();
      if (isEndless(answer)) stopWaiting();
      else answer.on('data', goOn).on('close', stopWaiting);
      on.onAnswer(answer);
    });
    sent.on('upgrade', (_, socket) => {
      stopWaiting();
      const detail = 'The server has answered with status 101, which nobody has asked for.';
      on.onFailure({ status: 502, detail });
      socket.destroy();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // It has answered before it had the whole body, or the answer breaks off, which its stream says.
      if (!isAwaited || answer) return;
      stopWaiting();
      on.onFailure({ status: 502, detail: reasonOf(error) });
    });
    if (!withBody) sent.end();
    return {
      body: withBody ? sent : undefined,
      cancel() {
        stopWaiting();
        sent.destroy();
      },
    };
  }

  return { open };
}

function tooSlow(patience: number): Failure {
  return { status: 504, detail: `The server has not answered within ${patience} ms.` };
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  // Node's parser of HTTP.
  if (code?.startsWith('HPE_')) return `The server has answered with what is not HTTP: ${code}.`;
  return `The server cannot be reached: ${code ?? message}.`;
}

// RFC 9110, section 7.6.1, and what only a proxy is told.
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
  ...['trailer', 'proxy-authorization', 'proxy-authenticate'],
]);

/** The coding of a body that is passed on in chunks, with what was done to it before. */
export function codingOf({ headers }: IncomingMessage): string[] {
  return ['Transfer-Encoding', [...transferCodings(headers), 'chunked'].join(', ')];
}

/** The headers as they were sent, in order, with repetitions: names and values in turn. */
export function endToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',');
  const dropped = new Set([...HOP_BY_HOP, ...named.map((name) => name.trim())]);
  return rawHeaders.filter((_, i) => !dropped.has(String(rawHeaders[i - (i % 2)]).toLowerCase()));
}

function requestHeaders(asked: IncomingMessage, host: string): string[] {
  const all = endToEnd(asked);
  const others = all.filter((_, i) => String(all[i - (i % 2)]).toLowerCase() !== 'host');
  const { headers, method = '' } = asked;
  const isChunked = headers['transfer-encoding'] !== undefined;
  // node:http would announce chunks for these methods.
  const isEmpty = !isChunked && headers['content-length'] === undefined;
  const takesBody = !/^(GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method);
  return [
    ...['Host', host],
    ...others,
    ...(isChunked ? codingOf(asked) : []),
    ...(isEmpty && takesBody ? ['Content-Length', '0'] : []),
  ];
}
