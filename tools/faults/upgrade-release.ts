import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Release = {
  /** The program that serves it. */
  readonly program: string;
  /** Runs a script of it; resolves with its output, and its exit code when it failed. */
  run(script: string, parameters: readonly string[], env: Record<string, string>): Promise<string>;
  /** Adds a migration of both engines. */
  addMigration(name: string, sql: string): void;
  remove(): void;
};

const PARTS = ['src', 'generated', 'openapi.yaml', 'schema.graphql', 'package.json'];

/** A copy of this tree as the next release: books have a subtitle, to-dos are urgent or not. */
export function makeNextRelease(): Release {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'accord-next-'));
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const subtitle = '        subtitle: { $ref: "#/components/schemas/Title" }';
  append('openapi.yaml', 'pages: { $ref: "#/components/schemas/Pages" }', `\n${subtitle}`);
  append('openapi.yaml', 'title, -title, pages, -pages', ', subtitle, -subtitle');
  append('schema.graphql', 'type Todo {\n', '  "Whether it cannot wait."\n  urgent: Boolean!\n\n');
  append('src/api/tables.ts', "title: 'text', pages: 'integer'", ", subtitle: 'text?'");
  append('src/api/tables.ts', "'title', 'pages'", ", 'subtitle'");
  append(
    'src/api/tables.ts',
    "todos: records<Todo>(\n    { title: 'text'",
    ", urgent: { type: 'boolean', default: false }",
  );

  function append(file: string, text: string, more: string): void {
    const path = join(folder, file);
    const content = readFileSync(path, 'utf8');
    if (!content.includes(text)) throw new Error(`${file} has no ${text}`);
    writeFileSync(
      path,
      content.replaceAll(text, () => text + more),
    );
  }

  return {
    program: join(folder, 'src/main.ts'),
    run(script, parameters, env) {
      const { PATH, HOME } = process.env;
      const options = { cwd: folder, env: { PATH, HOME, ...env } };
      return new Promise((resolve) => {
        execFile('npm', ['run', script, '--', ...parameters], options, (error, stdout, stderr) => {
          resolve(`${stdout}${stderr}${error ? `ended with ${error.code}` : ''}`);
        });
      });
    },
    addMigration(name, sql) {
      for (const engine of ['sqlite', 'postgres']) {
        writeFileSync(join(folder, 'src/api/migrations', engine, `${name}.sql`), sql);
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
