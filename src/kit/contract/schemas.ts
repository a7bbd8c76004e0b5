import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Formats, knownFormats } from './formats.ts';
import { namesInherited } from './inherited-names.ts';
import type { Document, Referable, SchemaObject } from './openapi-document.ts';
import { COMPONENTS, createForms, type Direction, type SchemaForms } from './schema-forms.ts';
import { createStepCheck, type StepCheck } from './step-check.ts';
import { uniqueItems } from './unique-items.ts';

/** The validator of a schema that stands in the document, as requests or responses have it. */
export type Compile = (
  schema: Referable<SchemaObject> | boolean,
  direction?: Direction,
) => ValidateFunction;

export type Errors = 'all' | 'first' | 'verbose';

export type Schemas = {
  /**
   * Compiles with validators of its own, so that they are forgotten together. Their errors are all, the first, or
   * all with the schema that was broken.
   */
  readonly createCompiler: (errors?: Errors) => Compile;
  readonly createStepCheck: (schema: object, errors: Errors) => StepCheck;
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
    let ajv: Ajv2020 | undefined;
    const added = new Set<string>();
    const known = new Map<unknown, ValidateFunction>();
    return (schema) => {
      const made = known.get(schema);
      if (made) return made;
      const { schemas, components } = formsOf({ schema }, direction);
      ajv ??= createAjv(formats, errors, hasInheritedNames());
      for (const [name, form] of Object.entries(components)) {
        if (added.has(name)) continue;
        added.add(name);
        ajv.addSchema(form, COMPONENTS + name);
      }
      const validate = ajv.compile(schemas.schema ?? true);
      known.set(schema, validate);
      return validate;
    };
  }

  return {
    createStepCheck: (schema, errors) =>
      createStepCheck(
        formsOf({ schema }, 'request'),
        createAjv(formats, errors, hasInheritedNames()),
      ),
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
function createAjv(formats: Formats, errors: Errors, ownProperties: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    ownProperties,
    strict: false,
    strictNumbers: true,
    strictTuples: false,
    allErrors: errors !== 'first',
    useDefaults: true,
    verbose: errors === 'verbose',
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
  // What is told of all faults names the items.
  if (errors !== 'all') ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  return ajv;
}
