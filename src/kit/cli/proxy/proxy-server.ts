import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError } from '../../errors.ts';
import { createPipelinedServer } from '../../http/pipelined-server.ts';
import { endWithClient } from '../../http/reply.ts';
import { hostFault } from '../../http/request-check.ts';
import { problemOf } from '../../rest/problem.ts';
import type { Checks, Watched } from './checks.ts';
import { codingOf, createUpstream, endToEnd, type Failure, MOST_HEADERS } from './forward.ts';
import { failed, noTunnel, refusal, tell } from './own-answers.ts';
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

/** The response that is sent on a connection. */
type State = { answering: ServerResponse | undefined };

export type Proxy = { readonly url: string; stop(): Promise<void> };

/** Stands before a server: passes everything on, and holds it to the contracts. */
export async function startProxy(parts: Parts): Promise<Proxy> {
  const { address, checks, refuse, port, patience } = parts;
  const upstream = createUpstream(address, patience);
  // An upload may take any time; how long is for the server behind to say.
  const timeouts = { requestTimeout: 0, headersTimeout: HEADERS_TIMEOUT };
  const { server, pipelining, refuseStream } = createPipelinedServer<State>({
    options: { ...timeouts, maxHeaderSize: MOST_HEADERS, requireHostHeader: false },
    stateOf: () => ({ answering: undefined }),
    answer,
    refuse: (error, response) => tell(response, problemOf(error)),
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (_, socket: Socket) => {
    // node:http listens to it no more.
    socket.on('drain', () => pipelining.connection(socket).answering?.emit('drain'));
    refuseStream(socket, (response) => tell(response, noTunnel));
  });

  function answer(request: IncomingMessage, response: ServerResponse, connection: State): void {
    connection.answering = response;
    // RFC 9112, section 3.2.
    const detail = hostFault(request);
    if (detail) {
      request.resume();
      tell(response, problemOf(new ApiError('invalid-request', { detail })));
      return;
    }
    const watched = checks.watch(request);
    if (refuse) void held(request, response, watched);
    else passed(request, response, watched);
  }

  /** Passes a request on while it arrives, and checks it when it has. */
  function passed(request: IncomingMessage, response: ServerResponse, watched: Watched): void {
    const body = take(request);
    request.once('end', () => watched.request(body.whole()));
    const sent = send(request, response, watched, (answer) => {
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
      const sent = send(request, response, watched, (answer) => {
        // It breaks off, which is told.
        holdAnswer(answer, response, watched).catch(() => {});
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
    watched: Watched,
    onAnswer: (answer: IncomingMessage) => void,
  ) {
    const opened = upstream.open(request, {
      onAnswer(answer) {
        if (isEndless(answer)) endWithClient(response);
        onAnswer(answer);
      },
      onFailure(failure) {
        void watched.failure(failure.message);
        broken(response, failure);
      },
    });
    // It has the whole answer, or one of the proxy itself; or the client has gone.
    response.on('prefinish', opened.cancel).on('close', opened.cancel);
    request.on('error', opened.cancel);
    // What nobody reads any more would block the client's connection.
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
      // That of a client which wants a tunnel is none of the server's any more.
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, 1000);
      await closed;
      clearTimeout(late);
      await checks.settled();
    },
  };
}

/** Ends a response that gets no whole answer: where it was begun, the client sees it break off. */
function broken(response: ServerResponse, failure: Failure): void {
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
