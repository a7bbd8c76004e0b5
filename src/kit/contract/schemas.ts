import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import { createCountedValidate, isCostly, type Validate } from './counted-validate.ts';
import { uniqueItems } from './equal-values.ts';
import { type Formats, knownFormats } from './formats.ts';
import { namesInherited } from './inherited-names.ts';
import type { Document, Referable, SchemaObject } from './openapi-document.ts';
import { COMPONENTS, createForms, type Direction, type SchemaForms } from './schema-forms.ts';
import { traitsOf } from './schema-traits.ts';

/** The validator of a schema that stands in the document, as requests or responses have it. */
export type Compile = (
  schema: Referable<SchemaObject> | boolean,
  direction?: Direction,
) => Validate;

export type Errors = 'all' | 'first' | 'verbose';

export type Schemas = {
  /**
   * Compiles with validators of its own, so that they are forgotten together. Their errors are all, the first, or
   * all with the schema that was broken; where schemas branch, the first.
   */
  readonly createCompiler: (errors?: Errors) => Compile;
  /** Schemas as requests have them, with the components that they refer to. */
  readonly requestSchemas: (schemas: Readonly<Record<string, unknown>>) => SchemaForms;
  /** What `format` means in this contract. */
  readonly formats: Formats;
  /** Whether it names members that every object inherits. */
  readonly namesInherited: () => boolean;
};

/** Makes validators when they are asked for: a large contract has thousands of schemas. */
export function createSchemas(document: Document, own: Formats): Schemas {
  const formats = { ...knownFormats, ...own };
  const formsOf = createForms(document, formats);
  let isNamed: boolean | undefined;
  const hasInheritedNames = () => (isNamed ??= namesInherited(document));

  function compilerOf(direction: Direction, errors: Errors): Compile {
    let shared: Ajv2020 | undefined;
    const added = new Set<string>();
    const known = new Map<unknown, Validate>();
    const newAjv = (allErrors: boolean) =>
      createAjv(formats, { allErrors, verbose: errors === 'verbose' }, hasInheritedNames());

    function compiled(forms: SchemaForms): Validate {
      const traits = traitsOf(forms);
      // Whoever looks for all faults tries on where one is found.
      const allErrors = errors !== 'first' && !traits.branches;
      if (isCostly(traits)) return createCountedValidate(forms, traits, newAjv(allErrors));
      shared ??= newAjv(allErrors);
      for (const [name, form] of Object.entries(forms.components)) {
        if (!added.has(name)) shared.addSchema(form, COMPONENTS + name);
        added.add(name);
      }
      return shared.compile(forms.schemas.schema ?? true);
    }

    return (schema) => {
      const validate = known.get(schema) ?? compiled(formsOf({ schema }, direction));
      known.set(schema, validate);
      return validate;
    };
  }

  return {
    formats,
    namesInherited: hasInheritedNames,
    requestSchemas: (schemas) => formsOf(schemas, 'request'),
    createCompiler(errors = 'all') {
      const [request, response] = [compilerOf('request', errors), compilerOf('response', errors)];
      const compilers = { request, response };
      return (schema, direction = 'response') => compilers[direction](schema);
    },
  };
}

/** With the options of express-openapi-validator's, so that the two admit the same values. */
function createAjv(formats: Formats, options: Options, ownProperties: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    ownProperties,
    strict: false,
    strictNumbers: true,
    strictTuples: false,
    useDefaults: true,
    // The contract's schemas were checked when it was read.
    meta: false,
    validateSchema: false,
    logger: false,
  });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  for (const keyword of ['readOnly', 'writeOnly']) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({ keyword, validate: () => false, errors: false });
  }
  return ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
}
