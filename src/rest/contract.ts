import type { Contract } from '../contract/contract.ts';
import { json } from '../store/json.ts';

/** The contract itself, as written and as JSON. */
export function contractHandlers({ text, document }: Contract) {
  const body = json(document);
  return {
    yaml: () => ({ status: 200, headers: {}, body: text }) as const,
    json: () => ({ status: 200, headers: {}, body }) as const,
  };
}
