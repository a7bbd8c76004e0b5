import { isObject } from './openapi-document.ts';

/** The schemas of OpenAPI 3.1 and later refuse the `x-` members of a callback, which their texts allow. */
export function withoutCallbackExtensions(
  value: unknown,
  name: string | undefined = undefined,
  parent: string | undefined = undefined,
): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((each) => withoutCallbackExtensions(each));
  const isCallback = parent === 'callbacks';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isCallback || !key.startsWith('x-'))
      .map(([key, each]) => [key, withoutCallbackExtensions(each, key, name)]),
  );
}
