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
