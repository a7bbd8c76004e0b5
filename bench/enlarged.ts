import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './servers.ts';

const COPIES = 100;

/**
 * A copy of the project whose contract has 200 more paths: `/books` and `/books/{id}` a hundred times
 * under other names. Nothing is changed but the contract and, as for any new operation, the handlers.
 */
export function createEnlarged(folder: string): string {
  const tree = join(folder, 'enlarged');
  mkdirSync(tree);
  for (const name of ['src', 'package.json', 'schema.graphql']) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  writeFileSync(
    join(tree, 'openapi.yaml'),
    enlarge(readFileSync(join(root, 'openapi.yaml'), 'utf8')),
  );
  const handlers = join(tree, 'src/api/handlers.ts');
  renameSync(handlers, join(tree, 'src/api/given-handlers.ts'));
  writeFileSync(handlers, moreHandlers);
  return tree;
}

function enlarge(contract: string): string {
  const [books] = /^ {2}\/books:\n[\s\S]*?(?=^ {2}\/tasks:\n)/m.exec(contract) ?? [];
  if (!books) throw new Error('the contract has no /books before /tasks');
  const copies = Array.from({ length: COPIES }, (_, i) =>
    books
      .replaceAll(/^ {2}\/books/gm, `  /books-${i + 1}`)
      .replaceAll(/operationId: (\w+)/g, `operationId: $1${i + 1}`)
      .replaceAll('</books', `</books-${i + 1}`),
  );
  return contract.replace(/^ {2}\/tasks:\n/m, (tasks) => copies.join('') + tasks);
}

const moreHandlers = `
import { createHandlers as given } from './given-handlers.ts';

export function createHandlers(parts) {
  const handlers = given(parts);
  const books = ['listBooks', 'createBook', 'getBook', 'replaceBook', 'deleteBook'];
  for (let i = 1; i <= ${COPIES}; i++) {
    for (const id of books) handlers[id + i] = handlers[id];
  }
  return handlers;
}
`;
