import { generate } from '@graphql-codegen/cli';
import type { ReadmeExample } from './readme-examples.ts';

const file = 'own_documents.mts';

/** What somebody's own graphql-codegen makes of a document of theirs and the schema in the package. */
export async function ownDocuments(sdl: string): Promise<Record<string, string>> {
  const generated: { filename: string; content: string }[] = await generate(
    {
      schema: sdl,
      documents: ['query Titles($id: ID!) { book(id: $id) { title } }'],
      generates: {
        './': {
          preset: 'client',
          presetConfig: { fragmentMasking: false },
          config: { documentMode: 'string', useTypeImports: true },
        },
      },
      silent: true,
    },
    false,
  );
  const found = generated.find(({ filename }) => filename.endsWith('graphql.ts'));
  if (!found) throw new Error('graphql-codegen made no documents');
  return { [file]: found.content };
}

const head = `import { Accord } from 'accord-sdk';
import { TitlesDocument } from './${file}';
declare const process: { argv: string[] };
const accord = new Accord({ baseUrl: String(process.argv[2]) });
`;

export const ownExample: ReadmeExample = {
  name: 'a document of their own',
  program: `${head}const { book } = await accord.graphql.execute(TitlesDocument, { id: '2' });
console.log(book?.title satisfies string | undefined);
`,
  printed: 'Invisible Cities\n',
};

export const ownWrong = [
  [
    'a field that a document of their own does not select',
    `${head}(await accord.graphql.execute(TitlesDocument, { id: '2' })).book?.pages;\n`,
    /'pages' does not exist/,
  ],
  [
    'a document of their own without its variables',
    `${head}await accord.graphql.execute(TitlesDocument);\n`,
    /Expected 2-3 arguments/,
  ],
] as const;
