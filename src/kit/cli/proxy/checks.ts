import type { IncomingMessage } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { type Contract, emptyContract } from '../../contract/contract.ts';
import type { Exchange } from '../../http/exchange.ts';
import { isServerWide } from '../../http/target.ts';
import { type Breach, type Breaches, general } from './breaches.ts';
import { copiedExchange } from './copied-exchange.ts';
import { createGraphqlCheck, queryName } from './graphql-check.ts';
import { createRestCheck, nameOf } from './rest-check.ts';
import { decoded } from './taken-body.ts';

type Parts = {
  readonly contract: Contract | undefined;
  readonly schema: GraphQLSchema | undefined;
  /** Where GraphQL is served. */
  readonly graphqlPath: string;
  readonly breaches: Breaches;
  readonly onWarning: (line: string) => void;
};

/** What was counted besides breaches. */
export type Traffic = {
  requests: number;
  /** Bodies that were too long. */
  unread: number;
  /** By operation and status, such as `getPlanet → 200`. */
  readonly answers: Map<string, number>;
};

export type Checks = {
  readonly traffic: Traffic;
  watch(request: IncomingMessage): Watched;
  /** Resolves when all that was begun is checked. */
  settled(): Promise<void>;
};

/** One exchange; bodies are undefined where they are too long. */
export type Watched = {
  request(body: Buffer | undefined): Promise<readonly Breach[]>;
  answer(answer: IncomingMessage, body: Buffer | undefined): Promise<readonly Breach[]>;
  /** What the server has done instead of sending a whole answer, such as `cannot be reached`. */
  failure(message: string): Promise<readonly Breach[]>;
};

const NOTHING = Buffer.alloc(0);

/** Holds exchanges to the contracts, and counts what breaks them. */
export async function createChecks(parts: Parts): Promise<Checks> {
  const { schema, graphqlPath, breaches, onWarning } = parts;
  const contract = parts.contract ?? (await emptyContract());
  const rest = createRestCheck(contract, onWarning);
  const graphql = schema && createGraphqlCheck(schema);
  const traffic: Traffic = { requests: 0, unread: 0, answers: new Map() };
  const running = new Set<Promise<unknown>>();

  /** Counts what a check finds. A check that fails is told; what it was to check counts as a breach. */
  function run(
    side: Breach['side'],
    example: string,
    check: () => Promise<Breach[]>,
  ): Promise<readonly Breach[]> {
    const failed = (error: unknown): Breach[] => {
      onWarning(`${example} could not be checked: ${error}`);
      return [{ side, operation: example, place: side, message: 'could not be checked' }];
    };
    const found = check()
      .catch(failed)
      .then((all) => {
        breaches.add(all, example);
        return all;
      });
    running.add(found);
    void found.then(() => running.delete(found));
    return found;
  }

  function count({ operation }: Exchange, outcome: number | 'no whole answer'): void {
    const name = `${operation?.id ?? 'other'} → ${outcome}`;
    traffic.answers.set(name, (traffic.answers.get(name) ?? 0) + 1);
  }

  const graphqlOf = ({ path }: Exchange) => (path === graphqlPath ? graphql : undefined);

  return {
    traffic,
    watch(request) {
      traffic.requests++;
      type Asked = ReturnType<NonNullable<typeof graphql>['request']>['asked'];
      const known = createKnown<{ exchange: Exchange; asked: Asked }>(request);
      const { method = '', url = '' } = request;
      const example = `${method} ${general(url)}`;

      async function ofRequest(body: Buffer | undefined): Promise<Breach[]> {
        const read = await decoded(body, request.headers);
        const bytes = typeof read === 'string' ? undefined : read;
        const exchange = copiedExchange(contract.routes, request, bytes ?? NOTHING);
        if (read === 'too long') traffic.unread++;
        if (isUndescribed(request)) {
          known.resolve({ exchange, asked: undefined });
          return [];
        }
        const ofGraphql = graphqlOf(exchange);
        const query = bytes && ofGraphql?.request(exchange);
        known.resolve({ exchange, asked: query?.asked });
        const isRest = !ofGraphql || exchange.operation !== undefined;
        const found = isRest ? await rest.request(exchange, bytes !== undefined) : [];
        const coded = read === 'undecodable' ? [undecodable('request', exchange)] : [];
        return [...coded, ...found, ...(query?.breaches ?? [])];
      }

      async function ofAnswer(
        { statusCode: status = 0, headers }: IncomingMessage,
        body: Buffer | undefined,
      ): Promise<Breach[]> {
        const read = await decoded(body, headers);
        const bytes = typeof read === 'string' ? undefined : read;
        if (read === 'too long') traffic.unread++;
        const of = await known.wait();
        if (!of || isUndescribed(request)) return [];
        const { exchange, asked } = of;
        count(exchange, status);
        const answer = { status, headers, body: bytes };
        return [
          ...(read === 'undecodable' ? [undecodable('answer', exchange)] : []),
          ...rest.answer(exchange, answer),
          ...(graphqlOf(exchange)?.answer(asked, answer) ?? []),
        ];
      }

      async function ofFailure(message: string): Promise<Breach[]> {
        const of = await known.wait();
        if (!of) return [];
        const { exchange, asked } = of;
        count(exchange, 'no whole answer');
        const operation = graphqlOf(exchange) ? queryName(asked?.operation) : nameOf(exchange);
        return [{ side: 'answer', operation, place: 'server', message }];
      }

      return {
        request: (body) => run('request', example, () => ofRequest(body)),
        answer: (answer, body) => run('answer', example, () => ofAnswer(answer, body)),
        failure: (message) => run('answer', example, () => ofFailure(message)),
      };
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** What is known of a request once it has arrived; undefined where its client goes away before. */
function createKnown<T>(request: IncomingMessage) {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const { socket } = request;
  request.once('close', () => void (request.readableEnded || resolve(undefined)));
  const gone = () => void (request.complete || resolve(undefined));
  return {
    resolve,
    async wait(): Promise<T | undefined> {
      // Of a request that is answered before its end, only the connection tells that it has none.
      if (socket.destroyed) gone();
      else socket.once('close', gone);
      const known = await promise;
      socket.off('close', gone);
      return known;
    },
  };
}

/** A body that nobody can read is not what a contract describes. */
function undecodable(side: Breach['side'], exchange: Exchange): Breach {
  const message = 'cannot be decoded';
  return { side, operation: nameOf(exchange), place: '/body', message };
}

/** No contract describes the questions of browsers whether they may ask, nor those about the server as a whole. */
function isUndescribed(request: IncomingMessage): boolean {
  const { method, headers } = request;
  const isPreflight =
    method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return isPreflight || isServerWide(request);
}
