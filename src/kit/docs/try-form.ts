import {
  type Document,
  isObject,
  resolve,
  type SecurityScheme,
} from '../contract/openapi-document.ts';
import type { Operation, Parameter } from '../contract/operation.ts';
import { byPreference, kindOf } from '../sdk/media-kind.ts';
import { isBinary, type Schema, typesOf } from '../sdk/schema.ts';
import { type Markup, markup } from './markup.ts';
import type { OperationSamples } from './operation-samples.ts';
import { wayOf } from './reference-page.ts';

/** A form that sends a request; what is required is filled in, what is optional is empty. */
export function tryForm(
  document: Document,
  operation: Operation,
  samples: OperationSamples,
): Markup | '' {
  const { method, path, parameters, body } = operation;
  // A page cannot send TRACE.
  if (method === 'TRACE') return '';
  const input = (each: Parameter) => parameterInput(document, each, samples);
  const required = parameters.filter((each) => each.required || each.in === 'path');
  const optional = parameters.filter((each) => !required.includes(each));
  const folded =
    optional.length === 0
      ? ''
      : markup`<details><summary>Optional parameters</summary>${optional.map(input)}</details>`;
  const canSend = body && method !== 'GET' && method !== 'HEAD';
  return markup`<section class="try" aria-labelledby="try"><h2 id="try">Try it</h2>
<form data-method="${method}" data-path="${path}">
${credentialInputs(document, operation)}${required.map(input)}${folded}
${canSend ? bodyInputs(document, operation, samples) : ''}
<p class="actions"><button class="button" type="submit">Send</button></p>
</form>
<div class="answer" aria-live="polite"></div>
</section>`;
}

function parameterInput(
  document: Document,
  parameter: Parameter,
  { values }: OperationSamples,
): Markup {
  const { name, in: place, style, explode, mediaType, object } = parameter;
  const media = mediaType === undefined ? undefined : object.content?.[mediaType];
  // A schema of the document, in the words of the SDK's room.
  const schema = schemaOf(document, object.schema ?? media?.schema);
  const json = mediaType !== undefined;
  const form = { name, in: place, style, explode, json, reserved: object.allowReserved ?? false };
  const attributes = markup` data-parameter="${JSON.stringify(form)}" data-type="${valueType(schema)}"`;
  return field(`${place}-${name}`, name, place, parameter.required, {
    schema,
    attributes,
    value: values[`${place} ${name}`] ?? '',
  });
}

type Input = { readonly schema: Schema; readonly attributes: Markup; readonly value: string };

/** A labelled input; a choice where the values are known. */
function field(
  id: string,
  name: string,
  place: string,
  required: boolean,
  { schema, attributes, value }: Input,
): Markup {
  const key = `try-${id.replaceAll(/[^\w-]/g, '_')}`;
  const mark = required ? markup` <span class="mark required">required</span>` : '';
  const label = markup`<label for="${key}"><code>${name}</code> <span class="of">${place}</span>${mark}</label>`;
  const choices = schema.enum ?? (typesOf(schema)[0] === 'boolean' ? [true, false] : undefined);
  const must = required ? markup` required` : '';
  if (choices) {
    const options = ['', ...choices.map(String)].map(
      (each) =>
        markup`<option value="${each}"${each === value ? markup` selected` : ''}>${each}</option>`,
    );
    return markup`<p class="field">${label}<select id="${key}"${attributes}${must}>${options}</select></p>\n`;
  }
  return markup`<p class="field">${label}<input id="${key}" value="${value}" autocomplete="off"${attributes}${must}></p>\n`;
}

function credentialInputs(document: Document, { security }: Operation): Markup | '' {
  const names = [...new Set(security.flatMap((each) => Object.keys(each)))];
  const inputs = names.map((name) => {
    // The document was checked: a name that is required is declared, as a security scheme.
    const scheme = resolve(
      document,
      document.components?.securitySchemes?.[name] as SecurityScheme,
    );
    const credential = { name, ...credentialForm(scheme) };
    const id = `credential-${name.replaceAll(/[^\w-]/g, '_')}`;
    return markup`<p class="field"><label for="${id}"><code>${name}</code> <span class="of">${wayOf(scheme)}${
      credential.kind === 'basic' ? ', as user:password' : ''
    }</span></label>
<input id="${id}" type="password" autocomplete="off" data-credential="${JSON.stringify(credential)}"></p>\n`;
  });
  if (inputs.length === 0) return '';
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  return markup`<details${isOptional ? '' : markup` open`}><summary>Credentials${isOptional ? ' (optional)' : ''}</summary>
${inputs}</details>`;
}

function credentialForm(scheme: SecurityScheme) {
  if (scheme.type === 'apiKey') return { kind: 'key', in: scheme.in, key: scheme.name };
  const isBasic = scheme.type === 'http' && /^basic$/i.test(scheme.scheme);
  return { kind: isBasic ? 'basic' : 'bearer' };
}

function bodyInputs(document: Document, { body }: Operation, samples: OperationSamples): Markup {
  const types = byPreference([...(body?.content.keys() ?? [])]);
  const [first = ''] = types;
  const kind = kindOf(first);
  const schema = schemaOf(document, body?.content.get(first)?.schema);
  const attributes = markup` data-body="${kind}" data-media="${concrete(first)}"`;
  if ((kind === 'form' || kind === 'multipart') && schema.properties) {
    const given = isObject(samples.body) ? samples.body : {};
    const parts = Object.entries(schema.properties).map(([name, each]) => {
      const own = schemaOf(document, each);
      const isRequired = schema.required?.includes(name) ?? false;
      return partInput(name, own, isRequired, isRequired ? given[name] : undefined);
    });
    return markup`<fieldset${attributes}><legend>Body <span class="of">${first}</span></legend>${parts}</fieldset>`;
  }
  const label = markup`<label for="try-body">Body <span class="of">${first}</span></label>`;
  if (kind === 'binary' || kind === 'any') {
    return markup`<p class="field">${label}<input id="try-body" type="file"${attributes}></p>`;
  }
  const text =
    typeof samples.body === 'string' && kind !== 'json'
      ? samples.body
      : JSON.stringify(samples.body, null, 2);
  const rows = Math.min(18, Math.max(3, String(text ?? '').split('\n').length));
  return markup`<p class="field">${label}<textarea id="try-body" rows="${rows}" spellcheck="false"${attributes}>
${text ?? ''}</textarea></p>`;
}

function partInput(name: string, schema: Schema, required: boolean, value: unknown): Markup {
  const isList = typesOf(schema)[0] === 'array';
  const items = isObject(schema.items) ? schema.items : {};
  const attributes = markup` data-part="${name}" data-type="${valueType(schema)}"`;
  if (isBinary(schema) || (isList && isBinary(items))) {
    const id = `try-part-${name.replaceAll(/[^\w-]/g, '_')}`;
    return markup`<p class="field"><label for="${id}"><code>${name}</code> <span class="of">file</span></label>
<input id="${id}" type="file"${isList ? markup` multiple` : ''}${attributes}></p>\n`;
  }
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return field(`part-${name}`, name, '', required, { schema, attributes, value: text });
}

function schemaOf(document: Document, schema: unknown): Schema {
  return isObject(schema) ? Object(resolve(document, schema)) : {};
}

/** How what is typed becomes a value: lists and objects are JSON, lists also texts with commas. */
function valueType(schema: Schema): string {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.includes('array')) return 'array';
  return types.includes('object') && types.length === 1 ? 'object' : 'text';
}

/** A range of media types does not say which one is sent. */
function concrete(mediaType: string): string {
  const [type, subtype] = mediaType.split('/');
  if (subtype !== '*') return mediaType;
  return type === 'text' ? 'text/plain' : 'application/octet-stream';
}
