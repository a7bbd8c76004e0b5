import type { Contract } from '../contract/contract.ts';
import type { Validate } from '../contract/counted-validate.ts';
import type { Document } from '../contract/openapi-document.ts';
import { COMPONENTS } from '../contract/schema-forms.ts';
import type { Compile } from '../contract/schemas.ts';
import type { Random } from '../seeded-random.ts';
import { createEndless } from './endless-schema.ts';
import { createExcess } from './excessive-schema.ts';
import { createSample } from './sample.ts';
import { type XmlText, xmlText } from './xml-text.ts';

/** Makes and judges the values of responses. */
export type MockValues = {
  readonly document: Document;
  /** The first of the examples that the schema admits, or a value made from it; undefined where there is none. */
  first(
    schema: unknown,
    examples: readonly unknown[],
    random?: Random,
  ): { readonly value: unknown } | undefined;
  /** Why no value was made of a schema, of which one was to be made last. */
  whyNot(schema: unknown): string;
  /** The validator of a schema of the document. Its errors are all, and it fills in defaults. */
  validatorOf(schema: unknown): Validate;
  /** A value as XML, as its schema describes it. */
  xml(schema: unknown, value: unknown): XmlText;
};

export function createMockValues({ createCompiler, document: own }: Contract): MockValues {
  // Validators refer to components under this name.
  const components = { ...own.components, 'x-schemas': own.components?.schemas ?? {} };
  const document = { ...own, components };
  const compile = createCompiler('verbose');
  const isExcessive = createExcess(document);
  const isEndless = createEndless(document);
  const sample = createSample(document, compile, isExcessive, isEndless);
  // A schema of the document.
  const validatorOf = (schema: unknown) => compile(schema as Parameters<Compile>[0]);
  return {
    document,
    validatorOf,
    first(schema, examples, random) {
      const validate = validatorOf(schema);
      // Validation fills in defaults.
      const found = examples.findIndex((value) => validate(structuredClone(value)));
      const value = found < 0 ? sample(schema, 'response', random) : examples[found];
      return value === undefined ? undefined : { value };
    },
    whyNot(schema) {
      if (isExcessive(schema)) return 'the schema demands more than a mock makes';
      if (isEndless(schema)) return 'each value of the schema would contain another';
      const [error] = validatorOf(schema).errors ?? [];
      const place = error?.schemaPath.replace(COMPONENTS, '#/components/schemas/');
      return `${error?.instancePath || 'the value'} ${error?.message}, says the schema at ${place}`;
    },
    xml: (schema, value) => xmlText(document, schema, value),
  };
}
