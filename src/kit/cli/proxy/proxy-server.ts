import { once } from 'node:events';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hostFault } from '../../http/request-check.ts';
import type { Problem } from '../../rest/problem.ts';
import { PROBLEM_TYPE } from '../../rest/problem-type.ts';
import type { Breach } from './breaches.ts';
import type { Checks, Watched } from './checks.ts';
import { codingOf, createUpstream, endToEnd, type Failure, MOST_HEADERS } from './forward.ts';
import { isEndless, readStart, take, transferCodings } from './taken-body.ts';

type Parts = {
  readonly address: URL;
  readonly checks: Checks;
  /** Whether what breaks a contract is refused instead of passed on. */
  readonly refuse: boolean;
  readonly port: number;
  /** How long the server may send nothing, before its answer and within it, in milliseconds. */
  readonly patience: number;
};

const NOTHING = Buffer.alloc(0);
// In milliseconds. node:http has none where a request may take any time.
const HEADERS_TIMEOUT = 60_000;

export type Proxy = { readonly url: string; stop(): Promise<void> };

/** Stands before a server: passes everything on, and holds it to the contracts. */
export async function startProxy(parts: Parts): Promise<Proxy> {
  const { address, checks, refuse, port, patience } = parts;
  const upstream = createUpstream(address, patience);
  // An upload may take any time; how long is for the server behind to say.
  const timeouts = { requestTimeout: 0, headersTimeout: HEADERS_TIMEOUT };
  const options = { ...timeouts, maxHeaderSize: MOST_HEADERS, requireHostHeader: false };
  const server = createServer(options, (request, response) => {
    // RFC 9112, section 3.2.
    const fault = hostFault(request);
    if (fault) {
      request.resume();
      tell(response, { ...invalidRequest, detail: fault });
      return;
    }
    const watched = checks.watch(request);
    if (refuse) void held(request, response, watched);
    else passed(request, response, watched);
  });
  server.on('connect', (request, socket) => {
    // node:http gives up the connection, with its error listener.
    socket.on('error', () => {});
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    // A server gives the socket that it has accepted.
    response.assignSocket(socket as Socket);
    // It is no connection of the server's any more, which a stop would end.
    response.once('finish', () => (socket as Socket).destroySoon());
    tell(response, noTunnel);
  });

  /** Passes a request on while it arrives, and checks it when it has. */
  function passed(request: IncomingMessage, response: ServerResponse, watched: Watched): void {
    const body = take(request);
    request.once('end', () => watched.request(body.whole()));
    const sent = send(request, response, (answer) => {
      const answered = take(answer);
      answer.once('end', () => void watched.answer(answer, answered.whole()));
      begin(response, answer);
      answer.pipe(response);
    });
    if (sent) request.pipe(sent);
    else request.resume();
  }

  /** Passes a request on once it is known to be right, and its answer likewise. */
  async function held(
    request: IncomingMessage,
    response: ServerResponse,
    watched: Watched,
  ): Promise<void> {
    try {
      const { bytes, isWhole } = await readStart(request);
      const breaches = await watched.request(isWhole ? bytes : undefined);
      // The client has gone away meanwhile.
      if (response.destroyed) return;
      if (breaches.length > 0) {
        request.resume();
        tell(response, refusal(breaches));
        return;
      }
      const sent = send(request, response, (answer) => {
        holdAnswer(answer, response, watched).catch(() => broken(response));
      });
      if (!sent) return;
      sent.write(bytes);
      if (isWhole) sent.end();
      else request.pipe(sent);
    } catch {
      response.destroy();
    }
  }

  async function holdAnswer(
    answer: IncomingMessage,
    response: ServerResponse,
    watched: Watched,
  ): Promise<void> {
    const { bytes, isWhole } = isEndless(answer)
      ? { bytes: NOTHING, isWhole: false }
      : await readStart(answer);
    const breaches = await watched.answer(answer, isWhole ? bytes : undefined);
    if (breaches.length > 0) {
      answer.destroy();
      tell(response, refusal(breaches));
      return;
    }
    begin(response, answer);
    response.write(bytes);
    if (isWhole) response.end();
    else answer.pipe(response);
  }

  /** Begins to send a request; gives the stream for its body, where it has one. */
  function send(
    request: IncomingMessage,
    response: ServerResponse,
    onAnswer: (answer: IncomingMessage) => void,
  ) {
    const opened = upstream.open(request, {
      onAnswer(answer) {
        answer.on('error', () => broken(response));
        answer.on('close', () => void (answer.complete || broken(response)));
        onAnswer(answer);
      },
      onFailure(failure) {
        request.unpipe().resume();
        broken(response, failure);
      },
    });
    response.on('close', () => void (response.writableFinished || opened.cancel()));
    request.on('error', () => opened.cancel());
    // A server that has answered need not read the rest, which would block the client's connection.
    opened.body?.once('close', () => request.unpipe().resume());
    return opened.body;
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address of this kind.
  const listening = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listening.port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(late);
      await checks.settled();
    },
  };
}

const cutShort: Failure = { status: 502, detail: 'The server has not sent the whole answer.' };

/** Ends a response that gets no whole answer: where it was begun, the client sees it break off. */
function broken(response: ServerResponse, failure = cutShort): void {
  if (response.writableEnded) return;
  if (response.headersSent) response.destroy();
  else tell(response, failed(failure));
}

/** Sends the head of an answer as it came. */
function begin(response: ServerResponse, answer: IncomingMessage): void {
  response.sendDate = false;
  const { statusCode = 502, statusMessage = '' } = answer;
  // RFC 9112, section 4; Node reads other phrases, and does not write them.
  const phrase = /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : '';
  const isCoded = transferCodings(answer.headers).length > 0;
  response.writeHead(statusCode, phrase, [
    ...endToEnd(answer),
    ...(isCoded ? codingOf(answer) : []),
  ]);
  // Sends the head before there is a body. `flushHeaders` would write it in UTF-8, and not the bytes that came.
  response.write(NOTHING);
}

const invalidRequest = {
  type: 'urn:accord:problem:invalid-request',
  title: 'Invalid request',
  status: 400,
};

const invalidAnswer = {
  type: 'urn:accord:problem:invalid-answer',
  title: 'Invalid answer',
  status: 502,
};

const noTunnel: Problem = {
  type: 'urn:accord:problem:not-implemented',
  title: 'Not implemented',
  status: 501,
  detail: 'The proxy makes no tunnels.',
};

function refusal(breaches: readonly Breach[]): Problem {
  const isRequest = breaches[0]?.side === 'request';
  return {
    ...(isRequest ? invalidRequest : invalidAnswer),
    detail: `The ${isRequest ? 'request' : 'answer of the server'} does not satisfy the contract.`,
    errors: breaches.slice(0, 20).map(({ place, message }) => ({ path: place, message })),
  };
}

function failed({ status, detail }: Failure): Problem {
  const isSlow = status === 504;
  return {
    type: `urn:accord:problem:${isSlow ? 'gateway-timeout' : 'bad-gateway'}`,
    title: isSlow ? 'Gateway timeout' : 'Bad gateway',
    status,
    detail,
  };
}

/** An answer of the proxy itself, which says so. */
function tell(response: ServerResponse, problem: Problem): void {
  const body = Buffer.from(JSON.stringify(problem));
  response.writeHead(problem.status, {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': body.length,
    'Accord-Proxy': 'true',
  });
  response.end(body);
}
