import { isUtf8 } from 'node:buffer';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';

export type Path = readonly (string | number)[];

/** Something in a contract that is not as it must be. */
export type Fault = {
  /** The part at fault; where there is no such part, the nearest one around it is shown. */
  readonly path: Path;
  /** Whether the name of the part is at fault, or what it holds. */
  readonly at: 'key' | 'value';
  readonly message: string;
};

/** Stops the reading of a contract with one line that says where the fault is. */
export type Fail = (fault: Fault) => never;

/** A contract's text as data, with the line and column of each part. */
export type ContractSource = {
  readonly file: string;
  readonly value: unknown;
  /** Whether the text is JSON, which `JSON.parse` has read. */
  readonly isJson?: boolean;
  readonly fail: Fail;
  /** A fault as a line that says where it is. */
  readonly told: (fault: Fault) => string;
};

/** The text of a contract's file; bytes that are no text are refused with their place. */
export function contractText(bytes: Buffer, file: string): string {
  const text = bytes.toString();
  if (isUtf8(bytes)) return text;
  // Such bytes are read as the replacement character.
  const place = placeAt(text, text.indexOf('\ufffd'));
  throw new Error(`${file}:${place}: found bytes that are not UTF-8`);
}

/** The line and column of an offset. */
export function placeAt(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${lines.length}:${String(lines.at(-1)).length + 1}`;
}

/** Stops with the line that tells a fault. */
export function failing(told: ContractSource['told']): Fail {
  return (fault) => {
    throw new Error(told(fault));
  };
}

/** Reads JSON or YAML; an error has the form `openapi.yaml:57:7: …`. */
export function readSource(text: string, file: string): ContractSource {
  // JSON is read 20 times as fast as YAML; places are looked for only when something is at fault.
  const value = /^\s*\{/.test(text) ? parsedJson(text) : undefined;
  if (value === undefined) return readYaml(text, file);
  let places: ContractSource | undefined;
  const told = (fault: Fault) => {
    places ??= readYaml(text, file);
    return places.told(fault);
  };
  return { file, value, isJson: true, fail: failing(told), told };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function readYaml(text: string, file: string): ContractSource {
  const lineCounter = new LineCounter();
  // The parser would compare each key with all before it. Repeated keys are found below.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const lineAt = (offset: number, message: string) => {
    const { line, col } = lineCounter.linePos(offset);
    // Messages of libraries may have several lines.
    return `${file}:${line}:${col}: ${message.replaceAll(/\s+/g, ' ')}`;
  };
  const failAt = (offset: number, message: string): never => {
    throw new Error(lineAt(offset, message));
  };
  const failParse = (offset: number, message: string) => {
    const line = text.split('\n')[lineCounter.linePos(offset).line - 1]?.trim();
    const found = line ? JSON.stringify(line.slice(0, 60)) : 'the end of the file';
    failAt(offset, `not YAML: ${message}; found ${found}`);
  };
  const [error] = document.errors;
  // The parser came to the end of the stack.
  if (error?.code === 'RESOURCE_EXHAUSTION')
    failAt(error.pos[0], 'found too many levels, expected fewer');
  if (error) failParse(error.pos[0], error.message);
  visit(document, {
    Map(_, map) {
      const repeated = repeatedKey(map);
      if (repeated) failParse(repeated.range?.[0] ?? 0, 'Map keys must be unique');
    },
    Alias(_, alias, ancestors) {
      const target = alias.resolve(document);
      const refuse = (fault: string) =>
        failAt(alias.range?.[0] ?? 0, `found *${alias.source}${fault}`);
      if (!target) refuse(', expected an anchor before it');
      else if (ancestors.includes(target)) refuse(' in the value of its own anchor');
    },
  });
  const told = ({ path, at, message }: Fault) => lineAt(offsetOf(document, path, at), message);
  const fail = failing(told);
  try {
    return { file, value: document.toJS(), fail, told };
  } catch {
    return failAt(0, 'found aliases that stand for very many values, expected fewer');
  }
}

/** Keys are repeated where they make one name: 200 and "200" do. */
function repeatedKey({ items }: YAMLMap): Scalar | undefined {
  const names = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const name = String(key);
    if (names.has(name)) return key;
    names.add(name);
  }
  return undefined;
}

function offsetOf(document: Document, path: Path, at: Fault['at']): number {
  let node: unknown = document.contents;
  let shown: unknown = node;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === `${part}`) : undefined;
    const next: unknown = pair?.value ?? (isSeq(node) ? node.items[Number(part)] : undefined);
    if (!pair && !next) break;
    node = next;
    shown = at === 'key' || !isNode(next) ? (pair?.key ?? next) : next;
  }
  return isNode(shown) ? (shown.range?.[0] ?? 0) : 0;
}
