import type { Contract } from '../contract/contract.ts';
import {
  type Document,
  isObject,
  methods,
  type OperationObject,
  type PathItem,
  resolve,
} from '../contract/openapi-document.ts';
import { type Operation, operationOf } from '../contract/operation.ts';
import type { MockedParts } from '../mocked-parts.ts';
import { tagOf } from '../sdk/api-call.ts';

/** What has a page in the REST reference: an operation, or a request that the API sends. */
export type ReferenceEntry = {
  readonly href: string;
  readonly title: string;
  /** The path, or the name of a webhook. */
  readonly place: string;
  readonly group: string;
  readonly operation: Operation;
  readonly isMocked: boolean;
  readonly isSent: boolean;
};

export const operationHref = (id: string) => `/docs/rest/${encodeURIComponent(id)}`;

/** What is sent by the API stands in a group of its own. */
export const SENT = 'Sent by the API';

/** The operations in the order of the declared tags, then webhooks and callbacks. */
export function referenceEntries(
  contract: Contract,
  mocked: MockedParts | undefined,
): ReferenceEntry[] {
  const { operations, document } = contract;
  const order = new Map((document.tags ?? []).map(({ name }, i) => [name, i]));
  const rank = ({ group }: ReferenceEntry) => order.get(group) ?? order.size;
  const own = operations.map(
    (operation): ReferenceEntry => ({
      href: operationHref(operation.id),
      title: operation.object.summary || `${operation.method} ${operation.path}`,
      place: operation.path,
      group: tagOf(operation),
      operation,
      isMocked: mocked?.operations.has(operation.id) ?? false,
      isSent: false,
    }),
  );
  const sorted = own.toSorted((a, b) => rank(a) - rank(b));
  // A group stands together, also where its tag is not declared.
  const grouped = [...Map.groupBy(sorted, ({ group }) => group).values()].flat();
  return [...grouped, ...sentEntries(contract)];
}

function sentEntries({ document, operations }: Contract): ReferenceEntry[] {
  const webhooks = Object.entries(document.webhooks ?? {}).flatMap(([name, item]) =>
    requestsOf(document, `webhook ${name}`, name, item),
  );
  const callbacks = operations.flatMap(({ id, object }) =>
    Object.entries(Object(object).callbacks ?? {}).flatMap(([name, callback]) => {
      // The document was validated: this is where a callback stands.
      const items = Object.entries(resolve(document, callback as Record<string, PathItem>));
      return items.flatMap(([, item]) =>
        isObject(item)
          ? requestsOf(document, `callback ${id}: ${name}`, `${id}: ${name}`, item)
          : [],
      );
    }),
  );
  return [...webhooks, ...callbacks];
}

function requestsOf(
  document: Document,
  key: string,
  place: string,
  referred: PathItem | { readonly $ref: string },
): ReferenceEntry[] {
  const item = resolve<PathItem>(document, referred);
  const [kind = ''] = key.split(' ');
  return methods.flatMap((method): ReferenceEntry[] => {
    const object: OperationObject | undefined = item[method];
    if (!object) return [];
    const path = `/${key}`;
    return [
      {
        href: operationHref(`${key} ${method}`),
        title: object.summary || `${kind} ${place}`,
        place,
        group: SENT,
        operation: operationOf({ ...document, paths: { [path]: item } }, path, method),
        isMocked: false,
        isSent: true,
      },
    ];
  });
}
