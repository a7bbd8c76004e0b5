import type { ContractFiles } from '../project.ts';

/** What a project's files are made of. */
export type Project = {
  readonly name: string;
  readonly contracts: ContractFiles;
  /** A handler and a resolver, as members of an object. */
  readonly handler: string | undefined;
  readonly resolver: string | undefined;
  /** What is doubtful in the contracts, a line each. */
  readonly doubts: readonly string[];
};

/** The files of a project besides its contracts and its package.json, by path. */
export function projectFiles(project: Project): Record<string, string> {
  const { openapi, schema } = project.contracts;
  return {
    'tsconfig.json': tsconfig,
    ...(schema && { 'codegen.ts': codegen(schema) }),
    'src/main.ts': main,
    'src/api.ts': apiFile(project),
    ...(openapi && { 'src/handlers.ts': handlers(project) }),
    ...(schema && { 'src/resolvers.ts': resolvers(project) }),
    'test/contract.test.ts': contractTest,
    'exec.cmd': '@rem npm runs scripts with cmd.exe on Windows, which has no exec.\n@%*\n',
    '.gitignore': 'node_modules/\ndata/\ndist/\nartefacts/\n.venv/\n',
    'README.md': readme(project),
  };
}

const tsconfig = `{
  "compilerOptions": {
    "target": "esnext",
    "lib": ["esnext"],
    "module": "nodenext",
    "types": ["node"],
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "skipLibCheck": true
  },
  "include": ["src", "test", "generated", "*.ts"]
}
`;

/** How graphql-codegen makes the types of an SDL. */
export const codegenOutput = {
  plugins: ['typescript', 'typescript-resolvers'],
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    maybeValue: 'T | null | undefined',
    avoidOptionals: { field: true },
    contextType: '../src/resolvers.ts#Context',
    scalars: { ID: { input: 'string', output: 'string | number' } },
  },
};

const codegen = (schema: string) => `import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '${schema}',
  generates: {
    'generated/graphql.d.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        useTypeImports: true,
        // A file of types alone has no enums at run time.
        enumsAsTypes: true,
        maybeValue: 'T | null | undefined',
        avoidOptionals: { field: true },
        contextType: '../src/resolvers.ts#Context',
        // What resolvers of a type are given, where that is not the type itself:
        // mappers: { Thing: '../src/things.ts#ThingRecord' },
        scalars: { ID: { input: 'string', output: 'string | number' } },
      },
    },
  },
};

export default config;
`;

const main = `import { run } from 'accord';
import { api } from './api.ts';

await run(api);
`;

function apiFile({ contracts: { openapi, schema }, doubts }: Project): string {
  const lines = [
    "import type { Api } from 'accord';",
    ...(openapi ? ["import { handlers } from './handlers.ts';"] : []),
    ...(schema ? ["import { resolvers } from './resolvers.ts';"] : []),
    '',
    'export const api: Api = {',
    ...(openapi ? [`  openapi: new URL('../${openapi}', import.meta.url),`] : []),
    ...(openapi ? ['  handlers: () => handlers,'] : []),
    ...(schema ? [`  graphql: new URL('../${schema}', import.meta.url),`, '  resolvers,'] : []),
    '  // What is not written yet is answered from the contracts. Without this line it stops the start.',
    '  mocks: true,',
    ...(doubts.length > 0 ? lenient(doubts) : []),
    '};',
    '',
  ];
  return lines.join('\n');
}

const MOST_DOUBTS = 5;

function lenient(doubts: readonly string[]): string[] {
  const more = doubts.length > MOST_DOUBTS ? [`  // and ${doubts.length - MOST_DOUBTS} more`] : [];
  return [
    '  // What is doubtful in the contracts. Without this line it stops the start:',
    ...doubts.slice(0, MOST_DOUBTS).map((line) => `  // ${line}`),
    ...more,
    '  lenient: true,',
  ];
}

const handlers = ({ handler }: Project) => `import type { Handlers } from 'accord';
import type { operations } from '../generated/openapi.d.ts';

/** What is written here replaces its mock. The contract types what a handler is given and what it may answer. */
export const handlers: Partial<Handlers<operations, never>> = {
${handler ?? '  // Under its operationId: (input) => ({ status: 200, body: … }),\n'}};
`;

const resolvers = ({ resolver }: Project) => `import type { GraphqlContext } from 'accord';
import type { Resolvers } from '../generated/graphql.d.ts';

export type Context = GraphqlContext<unknown, never>;

/** What is written here replaces its mock. The contract types the arguments and the value of each field. */
export const resolvers: Resolvers = {
  Query: {
${resolver ?? '    // Under the name of a field: (parent, args, context) => …,\n'}  },
};
`;

const contractTest = `import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { contractChecks } from 'accord/testing';
import { api } from '../src/api.ts';

describe('each operation answers a valid request as its contract says', async () => {
  const { checks, stop } = await contractChecks(api);
  after(stop);

  for (const { name, skip, ask } of checks) {
    it(name, { skip }, async () => assert.deepEqual(await ask(), []));
  }
});
`;

function readme({ name, contracts: { openapi, schema } }: Project): string {
  const contracts = [openapi, schema]
    .flatMap((each) => (each ? [`\`${each}\``] : []))
    .join(' and ');
  const written = [
    ...(openapi ? ['`src/handlers.ts`'] : []),
    ...(schema ? ['`src/resolvers.ts`'] : []),
  ].join(' and ');
  return `# ${name}

Contract: ${contracts}. Code: ${written}. What is not written yet is answered from the contract, and says so in the
header \`Accord-Mock\`. While a security scheme has no function in \`src/api.ts\`, any credentials of its form are
admitted, such as \`Authorization: Bearer x\`. When it has one, give the test credentials that it admits:
\`contractChecks(api, { headers })\`, and \`npx accord test --header 'Authorization: Bearer …'\`.

| command | does |
| --- | --- |
| \`npm start\` | serves on http://127.0.0.1:3000, with pages to read and try under \`/docs\` |
| \`npm run dev\` | serves; on a change it generates types, type-checks, says what is missing, and restarts |
| \`npm run generate\` | writes the types of the contract to \`generated/\` |
| \`npm run check\` | whether the types are up to date, and whether the code keeps to them |
| \`npm test\` | asks each operation and holds its answer to the contract |
| \`npx accord coverage -- npm test\` | says what of the contracts the tests exercised |
| \`npx accord test\` | schemathesis: generated requests, valid and not (needs Python 3.11) |
| \`npx accord lint\`, \`sdk\`, \`proxy\`, \`add\` | rules, client SDKs, a check of a running server, a new collection; \`npx accord help\` lists all |

Node 20 with npm is enough: the Node 24 that serves comes with \`npm install\`.
`;
}
