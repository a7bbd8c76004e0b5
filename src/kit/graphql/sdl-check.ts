import { hash } from 'node:crypto';
import {
  type ASTNode,
  buildASTSchema,
  type DocumentNode,
  type GraphQLError,
  GraphQLSchema,
  Kind,
  type NameNode,
  type ParseOptions,
  parse,
  validateSchema,
  visit,
} from 'graphql';
import type { CheckCache } from '../contract/check-cache.ts';
import { withFederation } from './federation.ts';
import { withoutRepeats } from './sdl-faults.ts';

export type Sdl = { readonly ast: DocumentNode; readonly schema: GraphQLSchema };

/** Told of each fault that leaves a single meaning, as a line such as `schema.graphql:12:3: …`. */
export type OnWarning = (line: string) => void;

/**
 * An SDL that is valid; else an error such as `schema.graphql:12:3: …`. Where the contract is only mocked or proxied
 * its reader cannot mend it: with `onWarning`, faults that leave a single meaning are told and not refused. An SDL that
 * `checks` knows is read without the places of its parts.
 */
export function readSdl(
  sdl: string,
  file: string,
  onWarning?: OnWarning,
  checks?: CheckCache,
): Sdl {
  const lenient = onWarning !== undefined;
  const known = checks?.({ kind: 'sdl', digest: hash('sha256', sdl), file, lenient });
  if (known?.warnings) {
    for (const warning of known.warnings) onWarning?.(warning);
    // The places of its parts, which errors tell, take a fifth of the time of parsing, and 15 MB for GitHub's SDL.
    const ast = definitionsOf(sdl, file, () => {}, { noLocation: true });
    return { ast, schema: buildASTSchema(ast, { assumeValid: true }) };
  }
  const warnings: string[] = [];
  const tell =
    onWarning &&
    ((line: string) => {
      warnings.push(line);
      onWarning(line);
    });
  const checked = checkedSdl(definitionsOf(sdl, file, tell), file, tell);
  known?.keep(warnings);
  return checked;
}

/** What an SDL defines, each thing once. */
function definitionsOf(
  sdl: string,
  file: string,
  onWarning?: OnWarning,
  options: ParseOptions = {},
): DocumentNode {
  const { ast, repeats } = withoutRepeats(attempt(() => parse(sdl, options), file));
  for (const { message, node, isAlike } of repeats) {
    const error = located(file, node, message);
    if (!isAlike || !onWarning) throw error;
    onWarning(error.message);
  }
  return withFederation(withoutIncremental(ast, file, onWarning), sdl);
}

function checkedSdl(ast: DocumentNode, file: string, onWarning?: OnWarning): Sdl {
  const schema = attempt(() => buildASTSchema(ast), file, ast);
  for (const error of validateSchema(schema)) {
    const found = sdlError(file, ast, error);
    if (!isHarmless(error) || !onWarning) throw found;
    onWarning(found.message);
  }
  // graphql executes nothing on a schema that it knows to be invalid.
  const config = { ...schema.toConfig(), assumeValid: true };
  return { ast, schema: new GraphQLSchema(config) };
}

/** An implementation may be deprecated where the field of its interface is not: that changes no answer. */
function isHarmless({ message }: GraphQLError): boolean {
  return (
    message.startsWith('Interface field ') &&
    message.includes(' is not deprecated, so implementation field ')
  );
}

/** graphql refuses every request to a schema with these directives: answers are not delivered in parts. */
function withoutIncremental(ast: DocumentNode, file: string, onWarning?: OnWarning): DocumentNode {
  const isIncremental = (node: ASTNode) =>
    node.kind === Kind.DIRECTIVE_DEFINITION && /^(defer|stream)$/.test(node.name.value);
  const found = ast.definitions.find(isIncremental);
  if (!found) return ast;
  const message =
    'found @defer or @stream, expected neither: incremental delivery is not supported';
  const error = located(file, found, message);
  if (!onWarning) throw error;
  onWarning(error.message);
  return { ...ast, definitions: ast.definitions.filter((node) => !isIncremental(node)) };
}

/** The error of a library or of our own, with the place that it tells or whose names it tells. */
export function sdlError(file: string, ast: DocumentNode | undefined, error: unknown): Error {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const { locations } = Object(error) as Partial<GraphQLError>;
  const [location] = locations ?? [];
  if (location) return new Error(`${file}:${location.line}:${location.column}: ${message}`);
  return located(file, ast && nodeNamedIn(message, ast), message);
}

export function located(file: string, node: ASTNode | undefined | null, message: string): Error {
  const { line, column } = node?.loc?.startToken ?? { line: 1, column: 1 };
  return new Error(`${file}:${line}:${column}: ${message}`);
}

function attempt<T>(make: () => T, file: string, ast?: DocumentNode): T {
  try {
    return make();
  } catch (error) {
    throw sdlError(file, ast, error);
  }
}

/** What buildASTSchema refuses it names, such as "Query.a" or "@nope", and does not locate. */
function nodeNamedIn(message: string, ast: DocumentNode): NameNode | undefined {
  const coordinate = message.split(' ').find((word) => /^"|\(/.test(word)) ?? '';
  const nodes = (coordinate.match(/\w+/g) ?? [])
    .toReversed()
    .map((name) => nodesNamed(name, ast))
    .find((found) => found.length > 0);
  // Of what is defined more than once, the last is too many.
  return /\b(once|one|already)\b/.test(message) ? nodes?.at(-1) : nodes?.[0];
}

/** The names in the file; what was added to it has no place. */
function nodesNamed(name: string, ast: DocumentNode): NameNode[] {
  const nodes: NameNode[] = [];
  visit(ast, { Name: (node) => void (node.loc && node.value === name && nodes.push(node)) });
  return nodes;
}
