import type { Document, OperationObject } from '../../contract/openapi-document.ts';
import { probes } from '../../http/standard-paths.ts';

/** The statuses that the kit may answer an operation with, and the operation does not declare. */
export function undeclaredStatuses(
  document: Document,
  path: string,
  operation: OperationObject,
): string[] {
  const { responses, requestBody } = operation;
  const security = operation.security ?? document.security ?? [];
  const isSecured = security.length > 0 && security.every((each) => Object.keys(each).length > 0);
  const hasScopes =
    isSecured && security.some((each) => Object.values(each).some((scopes) => scopes?.length > 0));
  const statuses = [
    '400',
    ...(isSecured ? ['401'] : []),
    ...(hasScopes ? ['403'] : []),
    '405',
    ...(requestBody ? ['413'] : []),
    '500',
    ...(probes.has(path) ? [] : ['503']),
  ];
  return statuses.filter(
    (status) => ![status, `${status[0]}XX`, 'default'].some((each) => each in Object(responses)),
  );
}
