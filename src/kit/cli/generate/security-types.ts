import type { Contract } from '../../contract/contract.ts';
import { schemesOf } from '../../rest/security-schemes.ts';

/** The security schemes that operations require, and each operation's alternatives, as types. */
export function securityTypes(contract: Contract): string {
  const schemes = [...schemesOf(contract)].map(([name, scheme]) => [name, plain(scheme)] as const);
  const requirements = contract.operations.map(({ id, security }) => [id, security] as const);
  return `${block('securitySchemes', schemes)}${block('operationSecurity', requirements)}`;
}

/** What decides how credentials are read. */
function plain(scheme: object): object {
  const { type, in: place, name, scheme: http } = Object(scheme);
  return {
    type,
    in: place,
    name,
    scheme: typeof http === 'string' ? http.toLowerCase() : undefined,
  };
}

// JSON of text, lists and objects is TypeScript's syntax of their types.
function block(name: string, entries: readonly (readonly [string, unknown])[]): string {
  if (entries.length === 0) return `export type ${name} = Record<never, never>;\n`;
  const lines = entries.map(
    ([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)};\n`,
  );
  return `export interface ${name} {\n${lines.join('')}}\n`;
}
