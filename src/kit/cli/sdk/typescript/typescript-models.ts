import type { Model } from '../../../sdk/model.ts';
import { doc, typeOf } from '../../../sdk/typescript/types.ts';
import { mentioned } from './mentioned-names.ts';

/** The schemas of the contract as types. */
export function modelsFile({ components }: Model): string {
  const types = components.map(
    ({ name, about, shape }) => `${doc([about])}export type ${name} = ${typeOf(shape)};\n`,
  );
  const text = types.join('\n');
  const isFile = mentioned(text, ['Binary']).length > 0;
  return `${isFile ? "import type { Binary } from './runtime/body.js';\n\n" : ''}${text || 'export {};\n'}`;
}
