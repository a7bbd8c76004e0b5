import type { Method } from './openapi-document.ts';

/**
 * The id of an operation that the contract gives none: the method and the words of the path, such as
 * `getPetsByPetId` for `GET /pets/{petId}`. It stays the same for as long as method and path do.
 */
export function madeOperationId(method: Method, path: string): string {
  const words = path
    .split('/')
    .map((segment) => segment.replaceAll(/\{([^{}]*)\}/g, ' by $1 '))
    .flatMap((segment) => segment.split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
