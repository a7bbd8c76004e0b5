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
  /** Once, before the answer or within it: there is no more of it. */
  readonly onFailure: (failure: Failure) => void;
};

/** What the server has done instead of sending a whole answer, such as `has not answered within 100 ms`. */
export type Failure = { readonly status: 502 | 504; readonly message: string };

export type Opened = {
  /** Undefined where the request has no body. */
  readonly body: ClientRequest | undefined;
  /** Ends the request and its answer; nothing is told any more. */
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
    // As the server of the proxy does.
    sent.maxHeadersCount = 0;
    let answer: IncomingMessage | undefined;
    let isOver = false;
    // How long an upload may take is for the server to say, how long a download for the client.
    const isClientSlow = () =>
      (withBody && !asked.readableEnded && !sent.writableNeedDrain) || answer?.isPaused() === true;
    const silence = createSilence(patience, isClientSlow, () =>
      fail(`has not answered within ${patience} ms`, 504),
    );

    function cancel(): void {
      isOver = true;
      silence.stop();
      sent.destroy();
    }
    function fail(message: string, status: Failure['status'] = 502): void {
      if (isOver) return;
      cancel();
      on.onFailure({ status, message });
    }

    if (withBody) asked.on('data', silence.goOn);
    sent.on('response', (received) => {
      const { statusCode = 0 } = received;
      if (statusCode < 100) {
        fail(`has answered with status ${statusCode}`);
        return;
      }
      answer = received;
      silence.goOn();
      if (isEndless(received)) silence.stop();
      else received.on('data', silence.goOn);
      received.on('close', () => {
        silence.stop();
        if (!received.readableEnded) fail('has not sent the whole answer');
      });
      on.onAnswer(received);
    });
    sent.on('upgrade', () => fail('has answered with status 101, which nobody has asked for'));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (!answer) fail(reasonOf(error));
      // It may have answered before it had the whole body. node:http takes a reset for the end of what has no length.
      else if (!answer.complete) answer.destroy(error);
    });
    if (!withBody) sent.end();
    return { body: withBody ? sent : undefined, cancel };
  }

  return { open };
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  // Node's parser of HTTP.
  if (code?.startsWith('HPE_')) return `has answered with what is not HTTP: ${code}`;
  return `cannot be reached: ${code ?? message}`;
}

/** Tells that nothing has come for as long as is waited, as soon as that is not because the client is slow. */
function createSilence(longest: number, isClientSlow: () => boolean, onSilence: () => void) {
  let isStopped = false;
  const timer = setTimeout(() => {
    if (isClientSlow()) timer.refresh();
    else onSilence();
  }, longest);
  return {
    goOn: () => void (isStopped || timer.refresh()),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
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
