import type { Contract } from '../contract/contract.ts';
import { violations } from '../contract/response-check.ts';
import type { Exchange, Reply, Tap } from '../http/exchange.ts';
import { headerTexts } from '../http/reply.ts';
import { operationName } from './exchange-end.ts';

/** Told what of a reply breaks the contract, with the operation's name and the request's id. */
export type OnChecked = (operation: string, id: string, found: readonly string[]) => void;

// The check of a longer body would hold up other requests.
const LONGEST = 65_536;

/** Checks a share of all replies, from 0 to 1, against the contract, after they are sent. */
export function createSample(contract: Contract, share: number, onChecked: OnChecked): Tap {
  return (exchange, { reply, isSent, text: sent }) => {
    if (Math.random() >= share || !isSent || !reply || !isOfContract(exchange, reply)) return;
    const { method, path, id } = exchange;
    const text = method === 'HEAD' || reply.body === undefined ? '' : sent;
    if (text === undefined || text.length > LONGEST) return;
    const { status } = reply;
    const answer = { status, headers: headersOf(exchange, reply), text, json: parsed(text) };
    onChecked(operationName(exchange), id, violations(contract, method, path, answer));
  };
}

/** The contract does not describe what the kit answers by itself, CORS preflights and bytes that were not HTTP. */
function isOfContract(exchange: Exchange, { status }: Reply): boolean {
  const { method, operation, match, path } = exchange;
  const isPreflight = method === 'OPTIONS' && !operation && status === 204;
  // An OpenAPI description need not have the path of GraphQL.
  const isOfSdl = !match && path === '/graphql';
  const isKits = isPreflight || isOfSdl || /^(docs|standard)$/.test(operationName(exchange));
  return method !== '' && !isKits;
}

/** By name, in lower case. */
function headersOf({ headers: common }: Exchange, { headers, type, body }: Reply) {
  const all: Record<string, string> = {};
  for (let i = 0; i + 1 < common.length; i += 2) {
    all[String(common[i]).toLowerCase()] = String(common[i + 1]);
  }
  for (const [name, value] of Object.entries(headers)) {
    const texts = headerTexts(name, value);
    if (texts.length > 0) all[name.toLowerCase()] = texts.join();
  }
  if (body !== undefined) all['content-type'] = type ?? 'application/json';
  return all;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
