import { basename } from 'node:path';
import type ts from 'typescript';
import { columnType } from './field-forms.ts';
import { EXAMPLES, exampleFields } from './openapi-draft.ts';
import type { Field, Names } from './resource-fields.ts';

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/g;

type Compiler = typeof ts;
type Insertion = { readonly at: number; readonly text: string };

/** Adds what a collection needs to source files; each throws where it does not find the place. */
export type SourceEdits = {
  tables(file: string, text: string): string;
  handlers(file: string, text: string): string;
  resolvers(file: string, text: string): string;
  demo(file: string, text: string): string;
  codegen(file: string, text: string): string;
};

export function createSourceEdits(
  compiler: Compiler,
  names: Names,
  fields: readonly Field[],
): SourceEdits {
  const { many, one, type, types, path } = names;

  function parsed(file: string, text: string) {
    return compiler.createSourceFile(file, text, compiler.ScriptTarget.Latest, true);
  }

  function nodesIn<T extends ts.Node>(root: ts.Node, is: (node: ts.Node) => node is T): T[] {
    const found: T[] = [];
    const walk = (node: ts.Node) => {
      if (is(node)) found.push(node);
      node.forEachChild(walk);
    };
    walk(root);
    return found;
  }

  /** The object literal that a name is given. */
  function objectOf(root: ts.Node, name: string): ts.ObjectLiteralExpression | undefined {
    const initializers = nodesIn(
      root,
      (node) => compiler.isVariableDeclaration(node) || compiler.isPropertyAssignment(node),
    )
      .filter((node) => node.name.getText() === name)
      .map(({ initializer }) => initializer && plain(initializer));
    return initializers.find((each) => each && compiler.isObjectLiteralExpression(each)) as
      | ts.ObjectLiteralExpression
      | undefined;
  }

  function plain(expression: ts.Expression): ts.Expression {
    const isWrapped =
      compiler.isAsExpression(expression) || compiler.isSatisfiesExpression(expression);
    return isWrapped ? plain(expression.expression) : expression;
  }

  /** A line behind the last member of an object. */
  function member(object: ts.ObjectLiteralExpression, source: string, lines: string): Insertion {
    const last = object.properties.at(-1);
    return last ? after(last, source, lines) : { at: object.end - 1, text: `\n${lines}` };
  }

  /** Lines behind one of the members of an object. */
  function after({ end, parent }: ts.Node, source: string, lines: string): Insertion {
    const behind = source.slice(end, parent.end - 1);
    const comma = behind.replaceAll(COMMENT, (each) => ' '.repeat(each.length)).indexOf(',');
    return comma < 0
      ? { at: end, text: `,\n${lines.trimEnd()}` }
      : { at: end + comma + 1, text: `\n${lines.trimEnd()}` };
  }

  function place<T>(found: T | undefined, file: string, what: string): T {
    if (found === undefined) throw new Error(`${file} has no ${what}: add the ${path} by hand`);
    return found;
  }

  return {
    tables(file, text) {
      const source = parsed(file, text);
      const object = place(objectOf(source, 'tables'), file, 'object `tables`');
      refuse(object, many, file);
      const schemas = /^type Schemas\b/m.test(text) ? 'Schemas' : "components['schemas']";
      const columns = fields.map((field) => `    ${field.name}: ${columnText(field)},\n`).join('');
      const lines = `  ${key(many)}: collection<${type}>({\n${columns}  }),`;
      const statement = source.statements.find(
        (each) => each.pos <= object.pos && object.end <= each.end,
      );
      const at = statement?.getStart() ?? 0;
      const known = nodesIn(source, compiler.isTypeAliasDeclaration).filter(
        (each) => each.end < at,
      );
      const behind = known.at(-1)?.end;
      const alias = `export type ${type} = ${schemas}['${type}'];`;
      return inserted(text, [
        behind === undefined ? { at, text: `${alias}\n\n` } : { at: behind, text: `\n${alias}` },
        member(object, text, lines),
      ]);
    },

    handlers(file, text) {
      const source = parsed(file, text);
      const declared = nodesIn(source, compiler.isVariableDeclaration).filter(({ initializer }) =>
        initializer?.getText().startsWith('collectionHandlers('),
      );
      const last = place(declared.at(-1), file, 'call of `collectionHandlers` to follow');
      const statement = place(ancestor(last, compiler.isVariableStatement), file, 'statement');
      const known = last.name.getText();
      const lines = nodesIn(source, compiler.isPropertyAssignment).filter(({ initializer }) =>
        initializer.getText().startsWith(`${known}.`),
      );
      const behind = place(lines.at(-1), file, `handler of \`${known}\``);
      const object = behind.parent;
      const operations = {
        list: `list${types}`,
        create: `create${type}`,
        get: `get${type}`,
        replace: `replace${type}`,
        remove: `delete${type}`,
      };
      for (const id of Object.values(operations)) {
        if (compiler.isObjectLiteralExpression(object)) refuse(object, id, file);
      }
      const handlers = Object.entries(operations).map(
        ([method, id]) => `    ${id}: ${many}.${method},\n`,
      );
      return inserted(text, [
        {
          at: statement.end,
          text: `\n  const ${many} = collectionHandlers('/${path}', store.${many});`,
        },
        after(behind, text, `\n${handlers.join('')}`),
      ]);
    },

    resolvers(file, text) {
      const object = place(objectOf(parsed(file, text), 'Query'), file, 'object `Query`');
      refuse(object, many, file);
      refuse(object, one, file);
      const find = /\bbyId\b/.test(text)
        ? `byId(id, store.${many}.find)`
        : `store.${many}.find(Number(id))`;
      const table = `(store: Store) => store.${many}`;
      const lines =
        /\brecordOf\b/.test(text) && /\blistOf\b/.test(text)
          ? [`    ${one}: recordOf(${table}),`, `    ${many}: listOf('Query.${many}', ${table}),`]
          : [
              `    ${one}: (_, { id }, { store }) => ${find},`,
              `    ${many}: (_, __, { store, lists }) => lists.all('Query.${many}', store.${many}),`,
            ];
      return inserted(text, [member(object, text, lines.join('\n'))]);
    },

    demo(file, text) {
      // It creates what the contract shows.
      if (/\bcreateExamples\(/.test(text)) return text;
      const awaited = nodesIn(parsed(file, text), compiler.isAwaitExpression).filter(
        ({ expression }) => /^store\.\w+\.create\(/.test(expression.getText()),
      );
      const last = place(awaited.at(-1), file, 'call of `store.….create` to follow');
      const behind = place(ancestor(last, compiler.isStatement), file, 'statement').end;
      const lines = Array.from({ length: EXAMPLES }, (_, i) => {
        const value = exampleFields(fields, i + 1);
        return `\n  await store.${many}.create(${literal(value)});`;
      });
      return inserted(text, [{ at: behind, text: lines.join('') }]);
    },

    codegen(file, text) {
      const object = objectOf(parsed(file, text), 'mappers');
      const last = object?.properties.at(-1);
      if (!object || !last?.name) return text;
      const name = last.name.getText();
      const line = last.getText().replaceAll(new RegExp(`\\b${name}\\b`, 'g'), type);
      const indent = ' '.repeat(last.getStart() - (text.lastIndexOf('\n', last.getStart()) + 1));
      return inserted(text, [member(object, text, `${indent}${line},`)]);
    },
  };

  function refuse(object: ts.ObjectLiteralExpression, name: string, file: string): void {
    const isKnown = object.properties.some((each) => each.name?.getText() === name);
    if (isKnown) throw new Error(`${basename(file)} has ${name} already`);
  }
}

function ancestor<T extends ts.Node>(
  node: ts.Node,
  is: (node: ts.Node) => node is T,
): T | undefined {
  let at: ts.Node | undefined = node;
  while (at && !is(at)) at = at.parent;
  return at;
}

function columnText(field: Field): string {
  const type = `'${columnType(field)}'`;
  const { references } = field;
  if (!references) return type;
  return `{ type: ${type}, references: { table: '${references}', onDelete: 'cascade' } }`;
}

function inserted(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((made, { at, text: added }) => `${made.slice(0, at)}${added}${made.slice(at)}`, text);
}

/** A value as it stands in TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${key(name)}: ${literal(each)}`)
    .join(', ')} }`;
}

function key(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : `'${name}'`;
}
