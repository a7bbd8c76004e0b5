import { existsSync, readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import type { Document } from '../../contract/openapi-document.ts';
import { type Contracts, documentOf, schemaOf } from '../contract/contract-texts.ts';

/** The same thing before and after; undefined where a side has none. */
export type Both<T> = { readonly before: T | undefined; readonly after: T | undefined };

/** Both versions of both contracts, read. */
export type Sides = { readonly documents: Both<Document>; readonly schemas: Both<GraphQLSchema> };

export function sidesOf(before: Contracts, after: Contracts): Sides {
  return {
    documents: { before: documentOf(before), after: documentOf(after) },
    schemas: { before: schemaOf(before), after: schemaOf(after) },
  };
}

/** The operations.graphql of the project; empty where it has none. */
export function operationsText(): string {
  return existsSync('operations.graphql') ? readFileSync('operations.graphql', 'utf8') : '';
}
