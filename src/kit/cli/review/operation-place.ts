import type { Operation } from '../../contract/operation.ts';
import { pointerPart } from '../contract/schema-nodes.ts';
import type { Subject } from './change.ts';
import { operationName } from './reach.ts';

export function subjectOf(operation: Operation): Subject {
  return { kind: 'operation', name: operationName(operation) };
}

/** An address without the names of its parameters, which are never sent. */
export function addressOf({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

export function placeOf({ path, method }: Operation, ...parts: readonly string[]): string {
  return ['#/paths', path, method.toLowerCase(), ...parts]
    .map((part, i) => (i === 0 ? part : pointerPart(part)))
    .join('/');
}
