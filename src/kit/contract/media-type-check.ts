import type { Path } from './contract-source.ts';
import { isMediaRange } from './media-type.ts';
import { type Document, methods } from './openapi-document.ts';
import type { Findings } from './schema-check.ts';
import { followed, type Part } from './unserved-features.ts';

/** Tells of names in the `content` of parameters, bodies, responses and headers that are no media types. */
export function checkMediaTypes(document: Document, { doubtful }: Findings): void {
  const told = new Set<string>();

  function check({ value, path }: Part): void {
    for (const type of Object.keys(Object(value.content))) {
      const at = [...path, 'content', type];
      if (isMediaRange(type) || told.has(at.join())) continue;
      // Many operations may share it.
      told.add(at.join());
      const message = `found ${JSON.stringify(type)}, expected a media type such as application/json`;
      doubtful({ path: at, at: 'key', message });
    }
  }

  function each(members: unknown, path: Path): Part[] {
    const entries = Object.entries(Object(members));
    return entries.map(([key, value]) => followed(document, value, [...path, key]));
  }

  for (const [name, item] of Object.entries(document.paths)) {
    const place = ['paths', name];
    for (const part of each(item.parameters, [...place, 'parameters'])) check(part);
    for (const method of methods) {
      const { parameters, requestBody, responses } = Object(item[method]);
      const at = [...place, method];
      for (const part of each(parameters, [...at, 'parameters'])) check(part);
      check(followed(document, requestBody, [...at, 'requestBody']));
      for (const response of each(responses, [...at, 'responses'])) {
        check(response);
        const headers = each(response.value.headers, [...response.path, 'headers']);
        for (const header of headers) check(header);
      }
    }
  }
}
