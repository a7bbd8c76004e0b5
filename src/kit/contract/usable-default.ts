import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Formats } from './formats.ts';

/**
 * Tells whether a schema admits its own default. One that it refuses must not be filled in: that would make a request
 * invalid which leaves the value out.
 */
export function createDefaultCheck(
  formats: Formats,
): (form: Readonly<Record<string, unknown>>, value: unknown) => boolean {
  let ajv: Ajv2020 | undefined;
  return (form, value) => {
    // Most defaults are of a plain type, and making a validator costs about a millisecond.
    if (Object.keys(form).every((key) => key === 'type')) return isOfType(value, form.type);
    // What stands in components is not looked up: it is known only when all of it was read.
    if (JSON.stringify(form).includes('"$ref"')) return true;
    ajv ??= createAjv(formats);
    return ajv.validate(form, value);
  };
}

function createAjv(formats: Formats): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ strict: false, ownProperties: true, validateSchema: false, logger: false },
  });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  return ajv;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === undefined) return true;
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const names = Number.isInteger(value) ? ['integer', 'number'] : [own];
  return [type].flat().some((each) => names.includes(String(each)));
}
