import type { Contract } from '../../contract/contract.ts';
import {
  type EncodingObject,
  isObject,
  type MediaTypeObject,
  resolve,
} from '../../contract/openapi-document.ts';
import type { Sample } from '../../mock/sample.ts';
import { parameterText, type Sendable } from './sampled-parameter.ts';

export type Body = { readonly type: string; readonly bytes: Buffer };

/** A body of a media type from sampled values; undefined where no value can be made. */
export function bodyOf(
  contract: Contract,
  type: string,
  media: MediaTypeObject,
  sample: Sample,
): Body | undefined {
  const text = (value: string, as = type) => ({ type: as, bytes: Buffer.from(value) });
  if (/[/+]json/.test(type)) {
    const value = sample(media.schema ?? true, 'request');
    return value === undefined ? undefined : text(JSON.stringify(value));
  }
  if (/^multipart|urlencoded$/.test(type)) {
    const value = Object(sample(media.schema ?? true, 'request'));
    const fields = Object.entries(value).flatMap(([name, each]) =>
      fieldsOf(name, each, media.encoding?.[name]),
    );
    if (type.endsWith('urlencoded'))
      return text(fields.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'));
    const files = filesIn(contract, media);
    const parts = fields.map(([name, each]) => {
      const file = files.has(name) ? '; filename="a.bin"' : '';
      return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${each}\r\n`;
    });
    return text(`${parts.join('')}--b--\r\n`, `${type}; boundary=b`);
  }
  if (/xml/.test(type)) return text('<root/>');
  const value = sample(media.schema ?? { type: 'string' }, 'request');
  return text(typeof value === 'string' && value !== '' ? value : 'text');
}

type Field = [name: string, value: string];

/** As RFC 6570 writes it where the encoding has a style, else lists one by one and objects as JSON. */
function fieldsOf(name: string, value: unknown, encoding: EncodingObject = {}): Field[] {
  const { style = 'form', explode = style === 'form' } = encoding;
  const isStyled = encoding.style !== undefined || encoding.explode !== undefined;
  const isDeep = style === 'deepObject' && (!isObject(value) || Array.isArray(value));
  if (isStyled && !isDeep && isSendable(value)) {
    const text = parameterText({ name, in: 'query', style, explode }, value);
    // Split again, because the form encodes it its own way.
    return text.split('&').map((pair): Field => {
      const [key = '', ...rest] = pair.split('=');
      return [decodeURIComponent(key), decodeURIComponent(rest.join('='))];
    });
  }
  if (value === null) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.map((each): Field => [name, isObject(each) ? JSON.stringify(each) : String(each)]);
}

function filesIn({ document }: Contract, { schema }: MediaTypeObject): Set<string> {
  const { properties } = Object(schema && resolve(document, schema));
  const files = Object.entries(Object(properties)).filter(([, each]) =>
    /"format":"binary"|contentMediaType/.test(JSON.stringify(each)),
  );
  return new Set(files.map(([name]) => name));
}

/** Whether every style can express a value. */
export function isSendable(value: unknown): value is Sendable {
  if (!isObject(value)) return value !== null && value !== undefined;
  const members = Object.values(value);
  return members.length > 0 && members.every((each) => !isObject(each) && each !== null);
}
