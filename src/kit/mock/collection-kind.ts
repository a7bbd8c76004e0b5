import type { Contract } from '../contract/contract.ts';
import { isJsonType } from '../contract/media-type.ts';
import type { Operation } from '../contract/operation.ts';
import { responseOf } from '../contract/response-check.ts';
import { ApiError } from '../errors.ts';
import type { Reply } from '../http/exchange.ts';
import type { MockAnswer } from './mock-answer.ts';
import type { Collection } from './mock-collections.ts';
import { createMockValues, type MockValues } from './mock-values.ts';
import { fitted } from './record-fit.ts';
import {
  idNameOf,
  isId,
  isMembers,
  listIn,
  type Members,
  recordIn,
  type Shaped,
} from './record-shape.ts';
import { propertiesIn } from './sample.ts';

/** What is known of the records of a collection. */
export type Kind = Shaped & {
  readonly values: MockValues;
  readonly idName: string;
  readonly properties: ReadonlyMap<string, unknown>;
};

/** As the read of a record has it; otherwise as the list, or as the create. */
export function kindIn(
  contract: Contract,
  plain: MockAnswer,
  { operations, parameter }: Collection,
): Kind | undefined {
  const values = createMockValues(contract);
  const { document } = values;
  for (const role of ['read', 'list', 'create', 'replace', 'merge'] as const) {
    const operation = operations.get(role);
    const usual = operation && attempted(() => plain(operation, 'application/json'));
    if (!usual) continue;
    const found = bodyIn(operation, usual);
    const shaped =
      role === 'list'
        ? found && listIn(document, found.schema, found.body)
        : shapedIn(values, operation, usual, parameter);
    if (!shaped) continue;
    const properties = propertiesIn(document, shaped.schema);
    const idName = idNameOf(properties, shaped.base, parameter);
    if (idName) return { ...shaped, values, properties, idName };
  }
  return undefined;
}

/** The records that the plain mock answers with. */
export function examplesOf({ operations }: Collection, kind: Kind, plain: MockAnswer): Members[] {
  const list = operations.get('list');
  const usual = list && attempted(() => plain(list, 'application/json'));
  const found = usual && bodyIn(list, usual);
  const shaped = found && listIn(kind.values.document, found.schema, found.body);
  const records: unknown = shaped?.member ? Object(found?.body)[shaped.member] : found?.body;
  const listed: unknown[] = shaped && Array.isArray(records) ? records : [];
  const validate = kind.values.validatorOf(kind.schema);
  return [...listed, kind.base]
    .filter(isMembers)
    .filter((record) => isId(record[kind.idName]))
    .map((record) => fitted(record, validate, kind.base, kind.idName))
    .filter((record) => record !== undefined);
}

/** The record with an id as its type has it; undefined where that does not admit it. */
export function withId({ values, schema, idName }: Kind, base: Members, id: string | number) {
  const [value] = [id, Number(id), String(id)].filter(
    (each) => typeof each === typeof base[idName] && String(each) === String(id),
  );
  const record = { ...base, [idName]: value };
  return value === undefined ? undefined : fitted(record, values.validatorOf(schema), base, idName);
}

/** The JSON of a plain mock and its schema; undefined where it has none. */
export function bodyIn(operation: Operation, { status, type = 'application/json', body }: Reply) {
  const content = responseOf(operation, status)?.content ?? {};
  const range = Object.keys(content).find((name) => name.endsWith('/*'));
  const declared = content[type] ?? content[String(range)];
  if (!declared || !isJsonType(type) || typeof body !== 'string') return undefined;
  const value: unknown = JSON.parse(body);
  return { schema: declared.schema, body: value };
}

export function shapedIn(
  { document }: MockValues,
  operation: Operation,
  reply: Reply,
  parameter: string,
) {
  const found = bodyIn(operation, reply);
  const shaped = found && recordIn(document, found.schema, found.body, parameter);
  return shaped && { ...shaped, body: found.body };
}

function attempted(answer: () => Reply): Reply | undefined {
  try {
    return answer();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
