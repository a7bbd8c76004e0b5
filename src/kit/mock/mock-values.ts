import type { Contract } from '../contract/contract.ts';
import type { Document } from '../contract/openapi-document.ts';
import type { Compile } from '../contract/schemas.ts';
import { createSample, sampleXml } from './sample.ts';

/** Makes and judges the values of responses. */
export type MockValues = {
  readonly document: Document;
  /** The first of the examples that the schema admits, or a value made from it; undefined where there is none. */
  first(schema: unknown, examples: readonly unknown[]): { readonly value: unknown } | undefined;
  /** XML as a schema describes it. */
  xml(schema: unknown): string;
};

export function createMockValues({ createCompiler, document: own }: Contract): MockValues {
  // Validators refer to components under this name.
  const components = { ...own.components, 'x-schemas': own.components?.schemas ?? {} };
  const document = { ...own, components };
  const compile = createCompiler('verbose');
  const sample = createSample(document, compile);
  return {
    document,
    first(schema, examples) {
      // A schema of the document.
      const validate = compile(schema as Parameters<Compile>[0]);
      // Validation fills in defaults.
      const found = examples.findIndex((value) => validate(structuredClone(value)));
      const value = found < 0 ? sample(schema) : examples[found];
      return value === undefined ? undefined : { value };
    },
    xml: (schema) => sampleXml(document, schema),
  };
}
