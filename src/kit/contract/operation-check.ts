import type { Fault, Path } from './contract-source.ts';
import { type Document, methods } from './openapi-document.ts';
import { type Operation, operationOf } from './operation.ts';
import { formOf } from './path-template.ts';
import type { Findings } from './schema-check.ts';

/** The operations; what could not be served as it is written is told where it stands. */
export function checkedOperations(document: Document, findings: Findings): Operation[] {
  const operations = new Map<string, Operation>();
  const forms = new Map<string, string>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods.filter((each) => item[each])) {
      const place = ['paths', path, method];
      const declared = checked(operationOf(document, path, method), place, findings);
      const operation = secured(document, declared, findings);
      const form = `${method} ${formOf(path)}`;
      const same = forms.get(form);
      if (same !== undefined) {
        const message = `${same} and ${path} are the same path; expected one of them`;
        findings.doubtful({ path: ['paths', path], at: 'key', message });
        continue;
      }
      forms.set(form, path);
      const other = operations.get(operation.id);
      if (other) findings.doubtful(usedTwice(place, other));
      const id = other ? freeId(operation, operations) : operation.id;
      operations.set(id, { ...operation, id });
    }
  }
  return [...operations.values()];
}

/** An operation without the security schemes that the contract does not have. */
function secured(document: Document, operation: Operation, { doubtful }: Findings): Operation {
  const { path, method, object, security } = operation;
  const names = Object.keys(document.components?.securitySchemes ?? {});
  const unknown = security
    .flatMap((each) => Object.keys(each))
    .filter((name) => !names.includes(name));
  if (unknown.length === 0) return operation;
  const message = `found the security scheme "${unknown[0]}", which is not declared in components`;
  const place = object.security ? ['paths', path, method.toLowerCase(), 'security'] : ['security'];
  doubtful({ path: place, at: 'value', message });
  const known = security.map((each) =>
    Object.fromEntries(Object.entries(each).filter(([name]) => names.includes(name))),
  );
  return { ...operation, security: known };
}

function usedTwice(place: Path, { id, method, path }: Operation): Fault {
  const message = `found the operationId "${id}" of ${method} ${path}, expected one of its own`;
  return { path: [...place, 'operationId'], at: 'value', message };
}

function freeId({ id }: Operation, taken: ReadonlyMap<string, Operation>): string {
  let i = 2;
  while (taken.has(`${id}_${i}`)) i += 1;
  return `${id}_${i}`;
}

function checked(operation: Operation, place: Path, { broken, doubtful }: Findings): Operation {
  const { method, path, names, parameters } = operation;
  const where = `${method} ${path}`;
  const tell = (message: string): Fault => ({ path: place, at: 'key', message });
  if (path.includes('?')) broken(tell(`${where} has a query in its path`));
  if (/\}\{/.test(path)) broken(tell(`${where} has two parameters with nothing between them`));
  if (/[{}]/.test(path.replaceAll(/\{[^{}]+\}/g, ''))) {
    broken(tell(`${where} has a brace that is no parameter`));
  }
  // The last of them counts.
  if (new Set(names).size < names.length) doubtful(tell(`${where} names a parameter twice`));
  const declared = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  if ([...new Set(names)].toSorted().join() === declared.toSorted().join()) return operation;
  doubtful(tell(`${where} names other path parameters than it declares`));
  const others = parameters.filter((each) => each.in !== 'path' || names.includes(each.name));
  const missing = names.filter((name) => !declared.includes(name)).map(textParameter);
  return { ...operation, parameters: [...others, ...missing] };
}

/** A path parameter that the contract does not declare is text. */
function textParameter(name: string): Operation['parameters'][number] {
  const schema = { type: 'string' };
  return {
    object: { name, in: 'path', required: true, schema },
    name,
    in: 'path',
    required: true,
    schema,
    style: 'simple',
    explode: false,
    mediaType: undefined,
    allowEmpty: false,
    malformedStatus: 400,
  };
}
