import type { Contract } from '../contract/contract.ts';
import { resolve } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { responseOf } from '../contract/response-check.ts';
import { ApiError } from '../errors.ts';
import { MOCKED, type Reply } from '../http/exchange.ts';
import { json } from '../json-text.ts';
import { createLru } from '../lru.ts';
import { bodyIn, examplesOf, type Kind, kindIn, shapedIn, withId } from './collection-kind.ts';
import type { MockAnswer } from './mock-answer.ts';
import { type Collection, type Place, placesIn } from './mock-collections.ts';
import { countedBodies, linkHeader, pageOf } from './mock-page.ts';
import { newId } from './new-id.ts';
import type { Preference } from './preference.ts';
import { fitted, merged } from './record-fit.ts';
import { isId, isMembers, listIn, type Members, withContent } from './record-shape.ts';
import { createRecordStore, type RecordStore } from './record-store.ts';

/** A request as the contract admitted it. */
export type MockRequest = {
  readonly accept: string | undefined;
  readonly preference: Preference;
  /** The address that the client asked. */
  readonly target: URL;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

export type StatefulAnswer = (operation: Operation, request: MockRequest) => Reply;

// Each holds at most a megabyte of records; of nested ones each parent has its own.
const MOST_COLLECTIONS = 50;
const MOST_KINDS = 100;

/**
 * Answers operations on what looks like a collection from the records that it was sent, beside those of the contract's
 * examples; everything else by `plain`. An id that nobody has sent or deleted is answered as by `plain`, under that id.
 */
export function createStatefulAnswer(
  contract: Contract,
  plain: MockAnswer,
  seed: number,
): StatefulAnswer {
  const places = placesIn(contract.operations);
  const kindOf = createLru(MOST_KINDS, (collection: Collection) =>
    kindIn(contract, plain, collection),
  );
  const collections = new Map([...places.values()].map((each) => [each.collection.form, each]));
  const stores = createLru(MOST_COLLECTIONS, (key: string) => {
    const [form] = JSON.parse(key);
    const place = collections.get(form);
    const kind = place && kindOf(place.collection);
    const store = createRecordStore();
    const records = kind ? examplesOf(place.collection, kind, plain) : [];
    for (const each of records) if (kind) keep(store, kind, each);
    return store;
  });

  return (operation, request) => {
    const { accept, preference } = request;
    const usual = plain(operation, accept, preference);
    const place = places.get(operation);
    const kind = place && Object.keys(preference).length === 0 && kindOf(place.collection);
    // Where the contract has only errors, nothing is done.
    if (!kind || usual.status >= 300) return usual;
    const store = stores(keyOf(operation, place, request));
    const made = carryOut({ operation, place, kind, store, usual, request, seed });
    return made ?? usual;
  };
}

type Task = {
  readonly operation: Operation;
  readonly place: Place;
  readonly kind: Kind;
  readonly store: RecordStore;
  /** What the plain mock answers. */
  readonly usual: Reply;
  readonly request: MockRequest;
  readonly seed: number;
};

/** Undefined where the plain mock is to answer. */
function carryOut(task: Task): Reply | undefined {
  const { place, kind, store, request, usual } = task;
  if (place.role === 'list') return listed(task);
  const { body } = request;
  if (place.role === 'create') {
    const id = isMembers(body) ? newId({ ...task, ...kind, body }) : undefined;
    // Beside the `number` of a record its `id` differs from that of others, too.
    const other = typeof kind.base.id === 'number' && { id: kind.base.id + store.ids().length };
    const made =
      id === undefined ? undefined : drafted(task, body, { ...other, [kind.idName]: id });
    if (!made || !mayCreate(task)) return undefined;
    keep(store, kind, made);
    return answered(task, made, locationOf(task, String(id)));
  }
  const id = place.isOfRecord ? request.path[String(task.operation.names.at(-1))] : undefined;
  const name = id ?? Object(body)[kind.idName];
  if (!isId(name)) return undefined;
  const found = store.get(String(name));
  if (found === 'deleted' && responseOf(task.operation, 404)) {
    throw new ApiError('not-found', { headers: { [MOCKED]: 'true' } });
  }
  // A mock answers with nothing that the contract does not have.
  if (found === 'deleted' && place.role !== 'replace') return undefined;
  const known = isMembers(found) ? found : withId(kind, kind.base, name);
  if (place.role === 'read') return known && answered(task, known);
  if (place.role === 'remove') {
    store.remove(String(name));
    return usual.body === undefined ? usual : known && answered(task, known);
  }
  const change = place.role === 'merge' ? merged(known, body) : body;
  const own = { [kind.idName]: known?.[kind.idName] };
  const made = known && isMembers(body) ? drafted(task, change, own, known) : undefined;
  if (!made) return undefined;
  keep(store, kind, made);
  return answered(task, made);
}

/** A record of what was sent, with the members that only the server sets. */
function drafted(
  { kind }: Task,
  body: unknown,
  own: Members,
  before: Members = kind.base,
): Members | undefined {
  const isKnown = ([name]: readonly [string, unknown]) =>
    kind.properties.size === 0 || kind.properties.has(name) || Object.hasOwn(kind.base, name);
  const isServers = ([name]: readonly [string, unknown]) =>
    Object(kind.properties.get(name)).readOnly === true;
  const sent = Object.entries(Object(body)).filter(isKnown);
  const set = Object.entries(before).filter(isServers);
  const all = [...set, ...sent.filter((each) => !isServers(each))];
  const record = { ...Object.fromEntries(all), ...own };
  const validate = kind.values.validatorOf(kind.schema);
  return fitted({ ...own, ...record }, validate, before, kind.idName);
}

/** What a collection answers to a POST is the record, or nothing. */
function mayCreate({ operation, usual, kind, place, request }: Task): boolean {
  const isKnown = Object.keys(Object(request.body)).some((name) => kind.properties.has(name));
  if (usual.body === undefined) return isKnown;
  return shapedIn(kind.values, operation, usual, place.collection.parameter) !== undefined;
}

/** The answer with a record; undefined where the schema of the response does not admit it. */
function answered(task: Task, record: Members, headers: Reply['headers'] = {}): Reply | undefined {
  const { operation, kind, usual, place } = task;
  const all = { ...usual, headers: { ...usual.headers, ...headers } };
  if (usual.body === undefined) return all;
  const shaped = shapedIn(kind.values, operation, usual, place.collection.parameter);
  if (!shaped) return undefined;
  const validate = kind.values.validatorOf(shaped.schema);
  const content = fitted(record, validate, shaped.base, kind.idName);
  return content && withBody(task, all, withContent(shaped.body, shaped, content));
}

function listed(task: Task): Reply | undefined {
  const { operation, kind, store, usual, request } = task;
  const { values } = kind;
  const found = bodyIn(operation, usual);
  const shaped = found && listIn(values.document, found.schema, found.body);
  if (!shaped) return undefined;
  const page = pageOf(request.query);
  const ids = store.ids();
  const validate = values.validatorOf(shaped.schema);
  const records = ids.slice(page.start, page.start + page.size).flatMap((id) => {
    const record = store.get(id);
    const base = { ...kind.base, ...shaped.base };
    return isMembers(record) ? (fitted(record, validate, base, kind.idName) ?? []) : [];
  });
  const { headers: declared } = responseOf(operation, usual.status) ?? {};
  const links = linkHeader(operation, declared, request.target, page, ids.length);
  const reply = { ...usual, headers: { ...usual.headers, ...links } };
  const body = withContent(found.body, shaped, records);
  return countedBodies(body, page, ids.length, request.target)
    .map((each) => withBody(task, reply, each))
    .find((each) => each !== undefined);
}

function withBody({ operation, kind }: Task, reply: Reply, body: unknown): Reply | undefined {
  const found = bodyIn(operation, reply);
  const isAdmitted = found && kind.values.validatorOf(found.schema)(structuredClone(body));
  return isAdmitted ? { ...reply, body: json(body) } : undefined;
}

function keep(store: RecordStore, { idName }: Kind, record: Members): void {
  store.keep(String(record[idName]), record);
}

/** The collection that a path names: its form, and the values of the parameters before the record. */
function keyOf(operation: Operation, { collection, isOfRecord }: Place, request: MockRequest) {
  const names = isOfRecord ? operation.names.slice(0, -1) : operation.names;
  return JSON.stringify([collection.form, ...names.map((name) => String(request.path[name]))]);
}

/** Where the contract declares that header: an address, or a path where that alone is admitted. */
function locationOf({ operation, kind, usual, request }: Task, id: string): Reply['headers'] {
  const declared = Object.entries(responseOf(operation, usual.status)?.headers ?? {});
  const [name, header] = declared.find(([each]) => each.toLowerCase() === 'location') ?? [];
  // No path has a lone surrogate.
  if (!name || !header || !id.isWellFormed()) return {};
  const { values } = kind;
  const admits = values.validatorOf(resolve(values.document, header).schema);
  const { origin, pathname } = request.target;
  const path = `${pathname}/${encodeURIComponent(id)}`;
  const place = [origin + path, path].find((each) => admits(each));
  return place === undefined ? {} : { [name]: place };
}
