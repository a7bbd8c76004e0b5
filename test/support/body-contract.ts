/** A contract with one operation, `POST /body`, that takes a body. */
export function bodyContract(requestBody: object, responses: object = {}): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Bodies', version: '1.0.0' },
    paths: {
      '/body': {
        post: {
          operationId: 'take',
          requestBody,
          responses: {
            200: { description: 'What was taken', content: { 'application/json': {} } },
            ...responses,
          },
        },
      },
    },
    components: {
      schemas: { Named: { type: 'object', properties: { name: { type: 'string' } } } },
    },
  });
}
