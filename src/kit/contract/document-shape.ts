import type { Fail, Path } from './contract-source.ts';
import { shown } from './document-fault.ts';
import { isObject, methods } from './openapi-document.ts';

/** Refuses a description without objects down to its operations: there is nothing to hold to rules, or to compare. */
export function refuseShapeless(document: Record<string, unknown>, fail: Fail): void {
  const objectAt = (value: unknown, ...path: Path): Record<string, unknown> =>
    isObject(value) && !Array.isArray(value)
      ? value
      : fail({ path, at: 'value', message: `found ${shown(value)}, expected an object` });

  const { info = {}, components = {}, paths = {} } = document;
  objectAt(info, 'info');
  objectAt(components, 'components');
  for (const [path, item] of Object.entries(objectAt(paths, 'paths'))) {
    if (path.startsWith('x-')) continue;
    const operations = objectAt(item, 'paths', path);
    for (const method of methods.filter((each) => each in operations)) {
      objectAt(operations[method], 'paths', path, method);
    }
  }
}

/** The description without the extensions beside paths and statuses, which would be taken for such. */
export function withoutExtensions(document: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(document.paths)) return document;
  const items = Object.entries(document.paths).filter(isNamed);
  const paths = Object.fromEntries(items.map(([path, item]) => [path, itemWithout(item)]));
  return { ...document, paths };
}

function itemWithout(item: unknown): unknown {
  if (!isObject(item)) return item;
  const operations = methods.flatMap((method) => {
    const operation = Object(item[method]);
    const responses = Object.entries(Object(operation.responses));
    if (responses.every(isNamed)) return [];
    return [[method, { ...operation, responses: Object.fromEntries(responses.filter(isNamed)) }]];
  });
  return operations.length > 0 ? { ...item, ...Object.fromEntries(operations) } : item;
}

function isNamed([name]: readonly [name: string, value: unknown]): boolean {
  return !name.startsWith('x-');
}
