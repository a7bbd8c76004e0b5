import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { withComponents } from '../contract/path-document.ts';
import { formats } from '../contract/schemas.ts';
import type { Exchange } from '../http/exchange.ts';
import { createParameters, type ParameterValues } from './parameters.ts';
import { bodyForms } from './request-body.ts';
import { envelopesOf, NO_BODY, typeOf } from './request-envelope.ts';

/** How the lane judges the requests of an operation. */
export type Rules = {
  readonly read: (exchange: Exchange) => ParameterValues;
  /** Validates the values of a request without a body and fills in defaults; undefined where a body is required. */
  readonly admits: ValidateFunction | undefined;
  /** The same with a JSON body; undefined where the operation takes none. */
  readonly admitsJson: ValidateFunction | undefined;
};

/** The rules of an operation: the reading and the schemas are the validator's own. */
export function rulesOf(contract: Contract, operation: Operation): Rules {
  const { document } = contract;
  const { body } = operation;
  const forms = body ? bodyForms(document, body) : [];
  const { schemas, components } = envelopesOf(contract, operation, forms);
  const ajv = createAjv();
  const compile = (type: string) => ajv.compile(withComponents(schemas[type], components));
  const json = forms.findIndex(({ mediaType }) => mediaType === 'application/json');
  return {
    read: createParameters(document, operation),
    admits: body?.required ? undefined : compile(NO_BODY),
    admitsJson: json < 0 ? undefined : compile(typeOf(json)),
  };
}

/** Ajv with the options of express-openapi-validator. One for each operation, so that it goes when its rules go. */
function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    useDefaults: true,
    allErrors: true,
    validateSchema: false,
    meta: false,
    logger: false,
  });
  addFormats.default(ajv);
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  ajv.removeKeyword('readOnly');
  // What is read-only is refused, whatever its value.
  ajv.addKeyword({ keyword: 'readOnly', validate: (isReadOnly: unknown) => !isReadOnly });
  return ajv;
}
