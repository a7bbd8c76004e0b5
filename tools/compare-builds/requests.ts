import type { Choice } from './choice.ts';
import type { Contracts } from './compared-contract.ts';
import { type Exchange, inOnePiece, type Pair } from './compared-exchange.ts';
import { graphqlExchange } from './graphql-requests.ts';
import { pageExchange } from './page-requests.ts';
import { pathExchange } from './path-requests.ts';
import { protocolExchange } from './protocol-exchanges.ts';
import { creating, restExchange, validRequest } from './rest-requests.ts';

/** One exchange of the mix. */
export function anyExchange(choice: Choice, { operations, schema }: Contracts): Exchange {
  return choice.make([
    [52, () => restExchange(choice, operations)],
    [24, () => graphqlExchange(choice, schema)],
    [8, () => protocolExchange(choice, operations)],
    [8, () => pageExchange(choice)],
    [8, () => pathExchange(choice, operations)],
  ]);
}

/** So many records of one kind that their list comes in several pieces. */
export function filling(
  choice: Choice,
  { operations }: Contracts,
  more: readonly Pair[] = [],
): Exchange {
  const operation = choice.one(creating(operations));
  const requests = Array.from({ length: 120 }, () => {
    const request = validRequest(choice, operation);
    const headers = request.headers.filter(([name]) => name !== 'Idempotency-Key');
    return { ...request, headers: [...headers, ...more] };
  });
  return inOnePiece('filling', requests);
}

/** The same exchange with a header in each of its requests. */
export function withHeader(exchange: Exchange, [name, value]: Pair): Exchange {
  const host = 'Host: localhost\r\n';
  const pieces = exchange.pieces.map((piece) =>
    piece.includes(host)
      ? Buffer.from(
          piece.toString('latin1').replaceAll(host, `${host}${name}: ${value}\r\n`),
          'latin1',
        )
      : piece,
  );
  return { ...exchange, pieces };
}
