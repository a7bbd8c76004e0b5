import { STATUS_CODES } from 'node:http';
import { operationsOf } from '../../contract/operation.ts';
import { type ApiCall, callOf, type Unnamed } from './api-call.ts';
import type { Sources } from './contracts.ts';
import { camelCase, methodName, pascalCase } from './names.ts';
import type { Schema } from './schema.ts';

/** What both contracts come to as a client, whatever its language. */
export type Model = {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  readonly digest: string;
  readonly groups: readonly Group[];
  /** A class for each status that an answer may refuse with. */
  readonly errors: readonly ErrorKind[];
  readonly schemas: Readonly<Record<string, Schema>>;
};

/** The operations of one tag. */
export type Group = {
  readonly name: string;
  readonly about: string;
  readonly calls: readonly ApiCall[];
};

export type ErrorKind = {
  readonly status: number;
  readonly className: string;
  readonly descriptions: readonly string[];
  readonly schemas: readonly Schema[];
};

/** What the packages are called. */
export const packageName = ({ title }: Model) => `${title.toLowerCase()}-sdk`;

/** Where GraphQL is served; the SDK has functions for its operations instead of for the endpoint. */
export const graphqlPath = '/graphql';

export function modelOf({ document, digest }: Sources): Model {
  const { title, version, summary = '' } = document.info;
  const calls = operationsOf(document).map(({ id, method, path }) =>
    callOf(document, id, method, path),
  );
  const groups = (document.tags ?? []).map(({ name, description = '' }) => ({
    name: camelCase(name),
    about: description,
    calls: named(
      calls.filter((call) => call.tag === name && call.path !== graphqlPath),
      name,
    ),
  }));
  const all = groups.flatMap((group) => group.calls);
  const schemas = Object(document.components).schemas ?? {};
  return { title, version, summary, digest, groups, errors: errorKinds(all), schemas };
}

/** Short names where they are unambiguous within the group, the operationId where they are not. */
function named(calls: readonly Unnamed[], tag: string): ApiCall[] {
  const short = calls.map(({ operationId }) => methodName(operationId, tag));
  return calls.map((call, i) => {
    const isUnique = short.filter((each) => each === short[i]).length === 1;
    return { ...call, name: (isUnique && short[i]) || call.operationId };
  });
}

function errorKinds(calls: readonly ApiCall[]): ErrorKind[] {
  const refusals = calls.flatMap((call) => call.refusals);
  const statuses = [...new Set(refusals.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const same = refusals.filter((each) => each.status === status);
    const schemas = new Map(same.map(({ schema }) => [JSON.stringify(schema), schema]));
    return {
      status,
      className: errorClass(status),
      descriptions: [...new Set(same.map(({ description }) => description))],
      schemas: [...schemas.values()].flatMap((schema) => schema ?? []),
    };
  });
}

/** 404 is a NotFoundError, 500 an InternalServerError. */
export function errorClass(status: number): string {
  const phrase = pascalCase(STATUS_CODES[status] ?? `Status ${status}`);
  return phrase.endsWith('Error') ? phrase : `${phrase}Error`;
}
