import type { IncomingMessage } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { type Contract, emptyContract } from '../../contract/contract.ts';
import type { Exchange } from '../../http/exchange.ts';
import { isServerWide } from '../../http/target.ts';
import { type Breach, type Breaches, general } from './breaches.ts';
import { copiedExchange } from './copied-exchange.ts';
import { createGraphqlCheck } from './graphql-check.ts';
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

  /** Counts what a check finds; a check that fails is told, and changes nothing. */
  function run(example: string, check: () => Promise<Breach[]>): Promise<readonly Breach[]> {
    const found = check().then(
      (all) => {
        breaches.add(all, example);
        return all;
      },
      (error: unknown) => {
        onWarning(`${example} could not be checked: ${error}`);
        return [];
      },
    );
    running.add(found);
    void found.then(() => running.delete(found));
    return found;
  }

  function count(exchange: Exchange, status: number | undefined): void {
    const name = `${exchange.operation?.id ?? 'other'} → ${status}`;
    traffic.answers.set(name, (traffic.answers.get(name) ?? 0) + 1);
  }

  return {
    traffic,
    watch(request) {
      traffic.requests++;
      type Asked = ReturnType<NonNullable<typeof graphql>['request']>['asked'];
      const known = Promise.withResolvers<{ exchange: Exchange; asked: Asked } | undefined>();
      // The client went away: nothing is known of the request.
      const gone = () => void (request.complete || known.resolve(undefined));
      request.once('close', gone);
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
        const isGraphql = graphql !== undefined && exchange.path === graphqlPath;
        const query = isGraphql && bytes ? graphql.request(exchange) : undefined;
        known.resolve({ exchange, asked: query?.asked });
        const isRest = !isGraphql || exchange.operation !== undefined;
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
        // Of a request that is answered before its end, only the connection tells that it has none.
        const { socket } = request;
        if (socket.destroyed) gone();
        else socket.once('close', gone);
        const of = await known.promise;
        socket.off('close', gone);
        if (!of || isUndescribed(request)) return [];
        const { exchange, asked } = of;
        count(exchange, status);
        const answer = { status, headers, body: bytes };
        const isGraphql = graphql !== undefined && exchange.path === graphqlPath;
        return [
          ...(read === 'undecodable' ? [undecodable('answer', exchange)] : []),
          ...rest.answer(exchange, answer),
          ...(isGraphql ? graphql.answer(asked, answer) : []),
        ];
      }

      return {
        request: (body) => run(example, () => ofRequest(body)),
        answer: (answer, body) => run(example, () => ofAnswer(answer, body)),
      };
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
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
