import { STATUS_CODES } from 'node:http';
import type { Document } from '../contract/openapi-document.ts';
import { operationsOf } from '../contract/operation.ts';
import { type ApiCall, callOf, type Status, type Unnamed } from './api-call.ts';
import { type Scheme, schemesOf } from './client-schemes.ts';
import { createGroups, type Group } from './groups.ts';
import { createNames, kebabCase, legal, pascalCase } from './names.ts';
import { reservedTypes } from './reserved-names.ts';
import type { Schema } from './schema.ts';
import { type Component, createShapes, type Shape } from './shape.ts';

/** What the model is made from. */
export type ModelSources = {
  /** In the dialect of OpenAPI 3.1. */
  readonly document: Document;
  /** Undefined where there is no SDL. */
  readonly schema: object | undefined;
  readonly digest: string;
};

/** What both contracts come to as a client, whatever its language. */
export type Model = {
  /** The name of the client's class. */
  readonly title: string;
  /** What npm and pip call the package. */
  readonly packageName: string;
  /** As the contract writes it, and as package managers take it. */
  readonly version: string;
  readonly packageVersion: string;
  readonly license: string | undefined;
  readonly summary: string;
  readonly digest: string;
  /** Where the server is, says the contract. */
  readonly address: string;
  readonly groups: readonly Group[];
  /** A class for each status that an answer may refuse with. */
  readonly errors: readonly ErrorKind[];
  /** What is refused with statuses that have no class: `4XX`, `default`. */
  readonly otherErrors: readonly Shape[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly components: readonly Component[];
  readonly schemes: readonly Scheme[];
  readonly hasGraphql: boolean;
  /** What the SDK lacks, a line each. */
  readonly leftOut: readonly string[];
};

export type ErrorKind = {
  readonly status: number;
  readonly className: string;
  readonly descriptions: readonly string[];
  readonly shapes: readonly Shape[];
};

/** Where GraphQL is served; the SDK has functions for its operations instead of for the endpoint. */
export const graphqlPath = '/graphql';

/** @param name What the client is called; the title of the contract unless given. */
export function modelOf({ document, digest, schema }: ModelSources, name?: string): Model {
  const { title, version, summary, description = '' } = document.info;
  const wish = name ?? title;
  const leftOut: string[] = [];
  const hasGraphql = schema !== undefined;
  const operations = operationsOf(document).filter(
    ({ path }) => !hasGraphql || path !== graphqlPath,
  );
  const statuses = operations.flatMap(({ responses }) => [...responses.keys()].map(Number));
  const names = createNames([...reservedTypes, ...statuses.map(errorClass)]);
  const client = names(
    /^[A-Z][A-Za-z0-9]*$/.test(wish) ? wish : legal(pascalCase(wish), 'Api'),
    'Client',
    ['Options'],
  );
  // Schemas of the document, in the words of this room.
  const schemas = (Object(document.components).schemas ?? {}) as Readonly<Record<string, Schema>>;
  const shapes = createShapes(schemas, names);
  const calls = operations.flatMap((operation): Unnamed[] => {
    const place = `${operation.method} ${operation.path}`;
    const told = (line: string) => void leftOut.push(`${place}: ${line}`);
    if (operation.method === 'TRACE') {
      told('is left out: fetch does not send TRACE');
      return [];
    }
    return [callOf(document, operation, shapes, told)];
  });
  const groups = createGroups(document, calls, names, hasGraphql);
  const all = groups.flatMap((group) => group.calls);
  return {
    title: client,
    packageName: `${kebabCase(wish) || 'api'}-sdk`,
    version,
    packageVersion: packageVersion(version),
    license: licenseOf(document.info),
    summary: summary ?? (description.split('\n').find((line) => line.trim() !== '') || `${title}.`),
    digest,
    address: addressOf(document),
    groups,
    errors: errorKinds(all),
    otherErrors: otherErrors(all),
    schemas,
    components: shapes.components,
    schemes: schemesOf(document, operations, (line) => void leftOut.push(line)),
    hasGraphql,
    leftOut,
  };
}

/** Three numbers, as npm and pip both want them. */
function packageVersion(version: string): string {
  if (/^\d+\.\d+\.\d+(-(alpha|beta|rc)(\.\d+)?)?$/.test(version)) return version;
  const numbers = version.match(/\d+/g)?.slice(0, 3).map(Number) ?? [0];
  return [...numbers, 0, 0].slice(0, 3).join('.');
}

function licenseOf(info: object): string | undefined {
  const { identifier, name } = Object(Object(info).license);
  return identifier ?? name;
}

function addressOf({ servers = [] }: Document): string {
  const [first] = servers;
  const values = Object.entries(first?.variables ?? {});
  const url = values.reduce(
    (text, [name, each]) => text.replaceAll(`{${name}}`, each.default),
    first?.url ?? '',
  );
  return /^https?:\/\//.test(url) ? url : 'http://127.0.0.1:3000';
}

function errorKinds(calls: readonly ApiCall[]): ErrorKind[] {
  const refusals = calls.flatMap((call) => call.refusals);
  const statuses = [...new Set(refusals.map(({ status }) => Number(status)))]
    .filter((status) => !Number.isNaN(status))
    .sort((a, b) => a - b);
  const byStatus = Map.groupBy(refusals, ({ status }) => Number(status));
  return statuses.map((status) => {
    const same = byStatus.get(status) ?? [];
    return {
      status,
      className: errorClass(status),
      descriptions: [...new Set(same.map(({ description }) => description))],
      shapes: distinct(same.flatMap(({ shape }) => shape ?? [])),
    };
  });
}

function otherErrors(calls: readonly ApiCall[]): Shape[] {
  const others = calls.flatMap(({ refusals }) =>
    refusals.filter(({ status }) => !isNumber(status)),
  );
  return distinct(others.flatMap(({ shape }) => shape ?? []));
}

export function distinct(shapes: readonly Shape[]): Shape[] {
  return [...new Map(shapes.map((each) => [JSON.stringify(each), each])).values()];
}

export function isNumber(status: Status): status is number {
  return typeof status === 'number';
}

/** 404 is a NotFoundError, 500 an InternalServerError. */
export function errorClass(status: Status): string {
  const phrase = pascalCase(STATUS_CODES[Number(status)] ?? `Status ${status}`);
  return phrase.endsWith('Error') ? phrase : `${phrase}Error`;
}
