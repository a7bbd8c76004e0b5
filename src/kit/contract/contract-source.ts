import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
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

/** Stops the reading of a contract with one line that says where the fault stands. */
export type Fail = (fault: Fault) => never;

/** A contract's text as data that knows where each part stands. */
export type ContractSource = { readonly value: unknown; readonly fail: Fail };

/** Reads YAML; an error has the form `openapi.yaml:57:7: …`. */
export function readSource(text: string, file: string): ContractSource {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const failAt = (offset: number, message: string): never => {
    const { line, col } = lineCounter.linePos(offset);
    // What a library says may have several lines.
    throw new Error(`${file}:${line}:${col}: ${message.replaceAll(/\s+/g, ' ')}`);
  };
  const [error] = document.errors;
  if (error) failAt(error.pos[0], syntaxMessage(text, error));
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return;
      failAt(alias.range?.[0] ?? 0, `found *${alias.source}, expected an anchor before it`);
    },
  });
  const fail: Fail = ({ path, at, message }) => failAt(offsetOf(document, path, at), message);
  try {
    return { value: document.toJS(), fail };
  } catch (error) {
    // Aliases that would expand to very many nodes.
    return failAt(0, String(error));
  }
}

function syntaxMessage(text: string, { pos: [offset], message }: YAMLError): string {
  const line = text
    .slice(text.lastIndexOf('\n', offset - 1) + 1)
    .split('\n', 1)
    .join()
    .trim();
  const found = line === '' ? 'the end of the file' : JSON.stringify(line.slice(0, 60));
  return `not YAML: ${message}; found ${found}`;
}

function offsetOf(document: Document, path: Path, at: Fault['at']): number {
  let node: unknown = document.contents;
  let shown: unknown = node;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    const pair = isMap(node) ? node.items.find(({ key }) => nameOf(key) === `${part}`) : undefined;
    const next: unknown = pair?.value ?? (isSeq(node) ? node.items[Number(part)] : undefined);
    if (!pair && !next) break;
    node = next;
    shown = at === 'key' || !isNode(next) ? (pair?.key ?? next) : next;
  }
  return isNode(shown) ? (shown.range?.[0] ?? 0) : 0;
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}
