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
  const numbers = [...store.ids(), String(base[idName])].flatMap((id) =>
    /^-?\d{1,15}$/.test(id) ? [Number(id)] : [],
  );
  // A fraction could be too small to make a difference.
  const step = Number.isSafeInteger(schema.multipleOf) ? schema.multipleOf : 1;
  const next = unused(store, (Math.floor(Math.max(0, ...numbers) / step) + 1) * step, step);
  // Where the schema admits no greater one.
  const below = unused(store, (Math.ceil(Math.min(0, ...numbers) / step) - 1) * step, -step);
  const counted = (digits: string) => String(Number(digits) + count).padStart(digits.length, '0');
  const texts = [
    ...(/^\d+$/.test(String(base[idName])) ? [String(next)] : []),
    ...(schema.format === undefined ? [hashOf(`${seed} ${count}`).toString(36)] : []),
    ...[uuidOf(random), uuidOf(random).replaceAll('-', ''), textFor(String(schema.pattern ?? ''))],
    String(base[idName]).replace(/\d{1,9}$/, counted),
  ];
  const candidates: unknown[] = typeof base[idName] === 'number' ? [next, below] : texts;
  const validate = values.validatorOf(declared ?? true);
  return candidates.filter(isId).find((id) => validate(id) && store.get(String(id)) === undefined);
}

/** The first that no record has, nor had before it was deleted. */
function unused(store: RecordStore, first: number, step: number): number {
  let id = first;
  while (store.get(String(id)) !== undefined) id += step;
  return id;
}
