import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
  Document as YamlDocument,
} from 'yaml';

type Path = readonly string[];
type Edit = { readonly at: number; readonly until: number; readonly text: string };

/** Adds members to the object at a path of a YAML or JSON text, which stays as it is otherwise. */
export function insertMembers(
  text: string,
  path: Path,
  members: Readonly<Record<string, unknown>>,
): string {
  if (Object.keys(members).length === 0) return text;
  const node = parsed(text).getIn(path, true);
  if (!isMap(node)) {
    const [last, ...before] = [...path].reverse();
    if (last === undefined || node !== undefined)
      throw new Error(`there is no object at ${path.join('/')}`);
    return insertMembers(text, before.reverse(), { [last]: members });
  }
  return applied(
    text,
    isFlow(node) ? intoFlowMap(text, node, members) : intoBlockMap(text, node, members),
  );
}

/** Adds an item to the list at a path. */
export function insertItem(text: string, path: Path, item: unknown): string {
  const node = parsed(text).getIn(path, true);
  if (!isSeq(node)) throw new Error(`there is no list at ${path.join('/')}`);
  const last = node.items.at(-1);
  if (isFlow(node) || !isNode(last)) {
    const { at, indent } = afterLast(text, node, last);
    return applied(text, {
      at,
      until: at,
      text: `${last ? ',' : ''}${indent}${JSON.stringify(item)}`,
    });
  }
  const column = columnOf(text, last.range?.[0] ?? 0) - 2;
  const at = lineAfter(text, last.range?.[1] ?? 0);
  return applied(text, { at, until: at, text: block([item], column) });
}

function parsed(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new Error(error.message);
  return document;
}

function applied(text: string, { at, until, text: added }: Edit): string {
  const start = text.slice(0, at);
  const isOpen = added.endsWith('\n') && start !== '' && !start.endsWith('\n');
  return `${start}${isOpen ? '\n' : ''}${added}${text.slice(until)}`;
}

function intoBlockMap(text: string, map: YAMLMap, members: object): Edit {
  const column = columnOf(text, startOf(map.items[0]));
  const last = map.items.at(-1);
  const end = isNode(last?.value) ? (last.value.range?.[1] ?? 0) : endOfKey(last);
  const at = lineAfter(text, end);
  const before = text.slice(0, startOf(last)).trimEnd();
  const isSpaced =
    map.items.length > 1 && text.slice(before.length, startOf(last)).split('\n').length > 2;
  const entries = Object.entries(members).map(([key, value]) => block({ [key]: value }, column));
  return { at, until: at, text: entries.map((each) => `${isSpaced ? '\n' : ''}${each}`).join('') };
}

function intoFlowMap(text: string, map: YAMLMap, members: object): Edit {
  const last = map.items.at(-1);
  const { at, indent } = afterLast(text, map, isNode(last?.value) ? last.value : undefined);
  const step = indent.length > 1 ? 2 : undefined;
  const entries = Object.entries(members).map(([key, value]) => {
    const json = JSON.stringify(value, null, step).replaceAll('\n', indent);
    return `${indent}${JSON.stringify(key)}: ${json}`;
  });
  return { at, until: at, text: `${last ? ',' : ''}${entries.join(',')}` };
}

/** Where the next item of a flow collection goes, and what stands before it. */
function afterLast(text: string, { range }: YAMLMap | YAMLSeq, last: unknown) {
  const start = range?.[0] ?? 0;
  if (!isNode(last)) return { at: start + 1, indent: ' ' };
  const at = last.range?.[1] ?? 0;
  const lines = text.slice(start, at).split('\n');
  const [, spaces = ''] = lines[1]?.match(/^(\s*)/) ?? [];
  return { at, indent: lines.length > 1 ? `\n${spaces}` : ' ' };
}

function isFlow({ flow, items }: YAMLMap | YAMLSeq): boolean {
  return flow === true || items.length === 0;
}

function startOf(pair: Pair | undefined): number {
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function endOfKey(pair: Pair | undefined): number {
  return isScalar(pair?.key) ? (pair.key.range?.[1] ?? 0) : 0;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** The start of the line after what ends at an offset; a comment behind it stays with it. */
function lineAfter(text: string, offset: number): number {
  const content = text.slice(0, offset).trimEnd().length;
  const end = text.indexOf('\n', content);
  return end < 0 ? text.length : end + 1;
}

const LINE = 105;

/** YAML in block form, small objects in one line, indented. */
function block(value: unknown, column: number): string {
  const document = new YamlDocument(value, { aliasDuplicateObjects: false });
  visit(document, {
    Map(_, map, path) {
      const text = JSON.stringify(map.toJSON());
      const isSmall = map.items.every(
        ({ value: each }) => isScalar(each) || (isMap(each) && each.items.length === 0),
      );
      if (
        path.length > 1 &&
        isSmall &&
        map.items.length <= 4 &&
        text.length + 2 * path.length < LINE - column
      ) {
        map.flow = true;
      }
    },
    Seq(_, seq, path) {
      if (path.length > 1 && seq.items.every((each) => isScalar(each))) seq.flow = true;
    },
  });
  const lines = document
    .toString({ lineWidth: LINE - column, minContentWidth: 0 })
    .trimEnd()
    .split('\n');
  return lines.map((line) => `${line === '' ? '' : ' '.repeat(column)}${line}\n`).join('');
}
