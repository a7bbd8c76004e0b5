import type { Operation } from '../contract/operation.ts';
import { formOf } from '../contract/path-template.ts';

/** What an operation does to a collection of records. */
export type Role = 'create' | 'list' | 'read' | 'replace' | 'merge' | 'remove';

/** Operations on `/x` and `/x/{id}`: of each role at most one, that on a record before that on the collection. */
export type Collection = {
  /** The path of the collection, without the names of its parameters. */
  readonly form: string;
  readonly operations: ReadonlyMap<Role, Operation>;
  /** The path parameter that names a record. */
  readonly parameter: string;
};

export type Place = {
  readonly collection: Collection;
  readonly role: Role;
  /** Whether the path names a record: a PUT on the collection has the id in its body. */
  readonly isOfRecord: boolean;
};

const ofCollection = { POST: 'create', GET: 'list', PUT: 'replace', PATCH: 'merge' } as const;
const ofRecord = { GET: 'read', PUT: 'replace', PATCH: 'merge', DELETE: 'remove' } as const;

/** What looks like a collection: records can be read, and written too. */
export function placesIn(operations: readonly Operation[]): ReadonlyMap<Operation, Place> {
  const byForm = Map.groupBy(operations, ({ path }) => formOf(path));
  const places = new Map<Operation, Place>();
  for (const [form, ofOne] of byForm) {
    const collectionForm = form.slice(0, -'/{}'.length);
    const ofAll = byForm.get(collectionForm);
    if (!form.endsWith('/{}') || collectionForm.endsWith('}') || !ofAll) continue;
    const all = [...rolesOf(ofAll, ofCollection), ...rolesOf(ofOne, ofRecord)];
    const roles = new Map(all);
    const canRead = roles.has('read') || roles.has('list');
    const canWrite = all.some(([role]) => role !== 'read' && role !== 'list');
    if (!canRead || !canWrite) continue;
    const parameter = String(ofOne[0]?.names.at(-1));
    const collection = { form: collectionForm, operations: roles, parameter };
    for (const [role, operation] of all) {
      places.set(operation, { collection, role, isOfRecord: ofOne.includes(operation) });
    }
  }
  return places;
}

function rolesOf(
  operations: readonly Operation[],
  byMethod: Readonly<Record<string, Role>>,
): [Role, Operation][] {
  return operations.flatMap((operation) => {
    const role = byMethod[operation.method];
    return role ? [[role, operation]] : [];
  });
}
