import { isObject, resolve } from '../contract/openapi-document.ts';
import { createRandom, hashOf, uuidOf } from '../seeded-random.ts';
import type { MockValues } from './mock-values.ts';
import { textFor } from './pattern-text.ts';
import { isId, type Members } from './record-shape.ts';
import type { RecordStore } from './record-store.ts';

type Parts = {
  readonly values: MockValues;
  readonly store: RecordStore;
  readonly idName: string;
  readonly properties: ReadonlyMap<string, unknown>;
  /** A record of the contract. */
  readonly base: Members;
  readonly body: Members;
  readonly seed: number;
};

/** The id of a new record: the one that was sent, or one of the schema's type that no record has. */
export function newId(parts: Parts): string | number | undefined {
  const { values, store, idName, properties, base, body, seed } = parts;
  const declared = properties.get(idName);
  const schema = isObject(declared) ? Object(resolve(values.document, declared)) : {};
  const sent = body[idName];
  if (isId(sent) && schema.readOnly !== true) return sent;
  const count = store.count();
  const random = createRandom(`${seed} ${idName} ${count}`);
  const numbers = [...store.ids(), String(base[idName])].filter((id) => /^\d{1,15}$/.test(id));
  let next = Math.max(0, ...numbers.map(Number)) + 1;
  // Those of deleted records are not given again.
  while (store.get(String(next)) !== undefined) next++;
  const counted = (digits: string) => String(Number(digits) + count).padStart(digits.length, '0');
  const texts = [
    ...(/^\d+$/.test(String(base[idName])) ? [String(next)] : []),
    ...(schema.format === undefined ? [hashOf(`${seed} ${count}`).toString(36)] : []),
    ...[uuidOf(random), uuidOf(random).replaceAll('-', ''), textFor(String(schema.pattern ?? ''))],
    String(base[idName]).replace(/\d{1,9}$/, counted),
  ];
  const candidates: unknown[] = typeof base[idName] === 'number' ? [next] : texts;
  const validate = values.validatorOf(declared ?? true);
  return candidates.filter(isId).find((id) => validate(id) && store.get(String(id)) === undefined);
}
