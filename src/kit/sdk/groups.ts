import type { Document } from '../contract/openapi-document.ts';
import type { ApiCall, Unnamed } from './api-call.ts';
import {
  camelCase,
  createNames,
  iterationName,
  legal,
  methodName,
  type Names,
  pascalCase,
} from './names.ts';

/** The operations of one tag; those without a tag are together by the first segment of their paths. */
export type Group = {
  readonly name: string;
  /** What its class is called. */
  readonly className: string;
  readonly about: string;
  readonly calls: readonly ApiCall[];
};

/** The groups, those of the declared tags first, each with methods of distinct names. */
export function createGroups(
  document: Document,
  calls: readonly Unnamed[],
  types: Names,
  hasGraphql: boolean,
): Group[] {
  const tags = document.tags ?? [];
  const byKey = Map.groupBy(calls, ({ tag }) => keyOf(tag));
  const keys = new Set([...tags.map(({ name }) => keyOf(name)), ...byKey.keys()]);
  const names = createNames(['constructor', 'then', 'close', ...(hasGraphql ? ['graphql'] : [])]);
  return [...keys].map((key) => {
    const tag = tags.find(({ name }) => keyOf(name) === key);
    const name = names(key, 'Group');
    return {
      name,
      className: types(`${legal(pascalCase(name), 'Group')}Api`),
      about: tag?.description ?? '',
      calls: named(byKey.get(key) ?? [], types),
    };
  });
}

const keyOf = (tag: string) => legal(camelCase(tag), 'group');

/** Short names where they are unambiguous within the group, the operationId where they are not. */
function named(calls: readonly Unnamed[], types: Names): ApiCall[] {
  const short = calls.map(({ operationId, tag }) => methodName(operationId, tag));
  const counts = Map.groupBy(short, (name) => name);
  const methods = createNames(['constructor']);
  const found = calls.map((call, i) => {
    const { operationId } = call;
    const isUnique = counts.get(short[i] ?? '')?.length === 1;
    const wish = (isUnique && short[i]) || camelCase(operationId);
    const typeName = types(legal(pascalCase(operationId), 'Call'), '', suffixes);
    return { ...call, name: methods(legal(wish, 'call')), typeName };
  });
  return found.map((call) => checked(call, found, methods));
}

const suffixes = ['Options', 'Failure', 'Headers', 'Body', 'Result', 'Item'];

/** The methods `iterate…` and `update` are there where nothing else is called so and their parts fit together. */
function checked(call: ApiCall, group: readonly ApiCall[], methods: Names): ApiCall {
  const iterate = iterationName(call.name);
  const canIterate =
    call.pageOf !== undefined &&
    methods(iterate) === iterate &&
    !group.some(({ name }) => name === iterate);
  const write = group.find(({ operationId }) => operationId === call.writtenBackBy);
  const canUpdate = write !== undefined && isWriteOf(call, write) && methods('update') === 'update';
  return {
    ...call,
    pageOf: canIterate ? call.pageOf : undefined,
    writtenBackBy: canUpdate ? call.writtenBackBy : undefined,
  };
}

function isWriteOf(read: ApiCall, write: ApiCall): boolean {
  const path = ({ inPath }: ApiCall) => inPath.map(({ key }) => key).join();
  const data = ({ replies }: ApiCall) =>
    JSON.stringify(
      replies
        .filter(({ status }) => /^2/.test(String(status)))
        .map(({ payload }) => payload?.shape),
    );
  return (
    write.body !== undefined &&
    path(read) === path(write) &&
    data(read) === data(write) &&
    read.replyHeaders.some(({ key, required }) => key === 'etag' && required) &&
    write.options.some(({ key }) => key === 'ifMatch') &&
    ![read, write].some(({ options }) => options.some(({ required }) => required))
  );
}
