import type { Api } from './api-declaration.ts';
import type { MockOptions } from './mock/mocks.ts';

type Mocked = MockOptions & Pick<Api, 'openapi' | 'graphql'>;

/** An API of contracts alone: everything is mocked, and what is doubtful in them is a warning. */
export function mockApi({ openapi, graphql, ...mocks }: Mocked): Api {
  return { ...(openapi && { openapi }), ...(graphql && { graphql }), mocks, lenient: true };
}
