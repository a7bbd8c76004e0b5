import type { Contract } from '../contract/contract.ts';
import {
  type Document,
  isObject,
  methods,
  type OperationObject,
  type PathItem,
  resolve,
} from '../contract/openapi-document.ts';
import { type Markup, markup } from './markup.ts';

/** A request that the API sends: of a webhook, or of a callback to who has called an operation. */
type Outgoing = {
  readonly kind: 'webhook' | 'callback';
  readonly method: string;
  readonly name: string;
  readonly summary: string;
};

/** The webhooks and callbacks of a contract as a table; empty where there are none. */
export function outgoingTable({ document, operations }: Contract): Markup | '' {
  const webhooks = Object.entries(document.webhooks ?? {}).flatMap(([name, item]) =>
    requestsOf(document, 'webhook', name, item),
  );
  const callbacks = operations.flatMap(({ id, object }) =>
    Object.entries(Object(object).callbacks ?? {}).flatMap(([name, callback]) => {
      // The document was validated: this is where a callback stands.
      const items = Object.entries(resolve(document, callback as Record<string, PathItem>));
      return items.flatMap(([, item]) =>
        isObject(item) ? requestsOf(document, 'callback', `${id}: ${name}`, item) : [],
      );
    }),
  );
  const rows = [...webhooks, ...callbacks].map(
    ({
      kind,
      method,
      name,
      summary,
    }) => markup`<tr><td><span class="method ${method}">${method.toUpperCase()}</span></td>
<td>${kind} <code>${name}</code></td><td>${summary}</td></tr>\n`,
  );
  if (rows.length === 0) return '';
  return markup`<h3>Sent by the API</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Webhooks and callbacks">
<table class="operations"><thead class="unseen"><tr><th>Method</th><th>Name</th><th>Says</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function requestsOf(
  document: Document,
  kind: Outgoing['kind'],
  name: string,
  referred: PathItem | { readonly $ref: string },
): Outgoing[] {
  const item = resolve<PathItem>(document, referred);
  return methods.flatMap((method) => {
    const operation: OperationObject | undefined = item[method];
    return operation ? [{ kind, method, name, summary: operation.summary ?? '' }] : [];
  });
}
