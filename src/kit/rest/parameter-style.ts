import type { Parameter } from '../contract/operation.ts';
import { invalid } from '../errors.ts';
import type { Shape } from './parameter-shape.ts';
import type { Parts } from './parameter-value.ts';

type Form = Pick<Parameter, 'name' | 'style' | 'explode'>;

/**
 * The parts of one text by its style (RFC 6570). Texts are split after percent-decoding, as most clients encode
 * the delimiters too.
 */
export function partsOf(text: string, form: Form, shape: Shape, at: string): Parts {
  const { types, isScalar } = shape;
  const [isArray, isObject] = [types.has('array'), types.has('object')];
  const content = withoutPrefix(text, form, !isScalar && !isArray, at);
  const pieces = content === '' ? [] : content.split(delimiterOf(form));
  const pairs = isObject ? pairsOf(pieces, form) : undefined;
  if (pairs && (form.explode || !isArray) && !(isScalar && pairs.length === 0)) {
    return asMap(pairs, at);
  }
  if (isArray && !(isScalar && pieces.length < 2)) return listOf(pieces, form);
  if (isScalar) return content;
  throw invalid(at, form.explode ? 'must be name=value pairs' : 'must be names and values in turn');
}

/** Names and values, none of them twice. */
export function asMap(
  pairs: readonly (readonly [string, Parts])[],
  at: string,
): Map<string, Parts> {
  const map = new Map<string, Parts>();
  for (const [name, value] of pairs) {
    if (map.has(name)) throw invalid(`${at}/${name}`, 'is given more than once');
    map.set(name, value);
  }
  return map;
}

function withoutPrefix(
  text: string,
  { name, style, explode }: Form,
  isObject: boolean,
  at: string,
) {
  if (style === 'label') {
    if (!text.startsWith('.')) throw invalid(at, 'must begin with "."');
    return text.slice(1);
  }
  if (style !== 'matrix') return text;
  const start = explode && isObject ? ';' : `;${name}`;
  const rest = text.slice(start.length);
  const isWhole = start === ';' || rest === '' || /^[=;]/.test(rest);
  if (!text.startsWith(start) || !isWhole) throw invalid(at, `must begin with "${start}"`);
  return rest.replace(/^=/, '');
}

function delimiterOf({ style, explode }: Form): string {
  if (style === 'spaceDelimited') return ' ';
  if (style === 'pipeDelimited') return '|';
  if (explode && style === 'label') return '.';
  if (explode && style === 'matrix') return ';';
  return ',';
}

/** The pieces as names and values; undefined where they are none. */
function pairsOf(pieces: readonly string[], { explode }: Form): [string, string][] | undefined {
  if (explode) {
    if (!pieces.every((piece) => piece.includes('='))) return undefined;
    return pieces.map((piece) => {
      const mark = piece.indexOf('=');
      return [piece.slice(0, mark), piece.slice(mark + 1)];
    });
  }
  if (pieces.length % 2 === 1) return undefined;
  return pieces.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, String(pieces[i + 1])]] : [],
  );
}

function listOf(pieces: readonly string[], { name, style, explode }: Form): readonly string[] {
  // Each but the first still has its name.
  if (style !== 'matrix' || !explode) return pieces;
  return pieces.map((piece) =>
    piece.startsWith(`${name}=`) ? piece.slice(name.length + 1) : piece,
  );
}
