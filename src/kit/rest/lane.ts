import type { IncomingHttpHeaders } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import { isPlainJson, parseJson, readBytes } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import type { AnyInput } from './handler.ts';
import { isDecimal, type Rule, type Rules, rulesOf } from './lane-rules.ts';

type Values = Record<string, unknown>;
type Admitted = AnyInput | undefined;

// A path and a query of these characters are their own encoding.
const PLAIN_PATH = /^[A-Za-z0-9/._~-]*$/;
const PLAIN_QUERY = /^[A-Za-z0-9=&._~-]*$/;

/** The fast lane: the input of a request that is plainly valid; undefined for all that the validator must judge. */
export function createLane(
  contract: Contract,
): (exchange: Exchange) => Admitted | Promise<Admitted> {
  const all = new Map(contract.operations.map((each) => [each, rulesOf(contract, each)]));
  return (exchange) => {
    const { path, query, match, operation, request } = exchange;
    const rules = operation && all.get(operation);
    if (!rules || !match || !PLAIN_PATH.test(path) || !PLAIN_QUERY.test(query)) return undefined;
    const input = {
      path: pathValues(rules.path, match.values),
      query: queryValues(rules, query),
      headers: headerValues(rules.headers, request.headers),
    };
    if (!isComplete(input)) return undefined;
    if (!rules.admitsBody) return { ...input, body: undefined };
    return isPlainJson(request) ? withBody(exchange, rules, input) : undefined;
  };
}

type Input = Omit<AnyInput, 'body'>;

function isComplete(input: { [Place in keyof Input]: Input[Place] | undefined }): input is Input {
  return input.path !== undefined && input.query !== undefined && input.headers !== undefined;
}

async function withBody(exchange: Exchange, rules: Rules, input: Input): Promise<Admitted> {
  const body = plainValue(await readBytes(exchange));
  return rules.admitsBody?.(body) ? { ...input, body } : undefined;
}

/** The value of a body; undefined, which no schema admits, when the validator must judge. */
function plainValue(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}

function pathValues(rules: readonly Rule[], texts: readonly string[]): Values | undefined {
  const values: Values = {};
  for (let i = 0; i < texts.length; i++) {
    if (!take(values, rules[i], texts[i])) return undefined;
  }
  return values;
}

function queryValues({ query, requiredQuery }: Rules, text: string): Values | undefined {
  const values: Values = {};
  for (const pair of text === '' ? [] : text.split('&')) {
    const mark = pair.indexOf('=');
    const value = mark < 0 ? '' : pair.slice(mark + 1);
    const rule = query.get(mark < 0 ? pair : pair.slice(0, mark));
    // The validator refuses a name that is given twice, and a value that is empty.
    if (!rule || value === '' || rule.name in values) return undefined;
    if (!take(values, rule, value)) return undefined;
  }
  return requiredQuery.every((name) => name in values) ? values : undefined;
}

function headerValues(rules: readonly Rule[], headers: IncomingHttpHeaders): Values | undefined {
  const values: Values = {};
  for (const rule of rules) {
    const text = headers[rule.name];
    if (text === undefined && !rule.required) continue;
    // Set-Cookie is a list.
    if (typeof text !== 'string' || !take(values, rule, text)) return undefined;
  }
  return values;
}

/** Adds the value of a text; whether the contract admits it. */
function take(values: Values, rule: Rule | undefined, text: string | undefined): boolean {
  if (!rule || text === undefined || (rule.integer && !isDecimal(text))) return false;
  const value = rule.integer ? Number(text) : text;
  values[rule.name] = value;
  return rule.admits(value);
}
