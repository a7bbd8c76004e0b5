const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const whole = { type: 'integer' };
const json = (schema: object, more: object = {}) => ({ 'application/json': { schema, ...more } });
const reply = (description: string, content?: object, more: object = {}) => ({
  description,
  ...(content && { content }),
  ...more,
});
const done = { responses: { 204: reply('Done.') } };
const id = { name: 'id', in: 'path', required: true, schema: whole, example: 7 };
const etag = { required: true, description: 'Its version.', schema: text };
const problem = { 'application/problem+json': { schema: ref('Problem') } };
const ship = { name: 'Vasa' };

const ships = {
  '/ships': {
    get: {
      tags: ['ships'],
      operationId: 'listShips',
      summary: 'List ships',
      description: 'In the order of their names.',
      security: [{ token: [] }, { key: [], user: [] }],
      parameters: [
        { name: 'limit', in: 'query', description: 'The size of a page.', schema: whole },
        { name: 'after', in: 'query', schema: text },
        {
          ...{ name: 'state', in: 'query', explode: false },
          schema: { type: 'array', items: { enum: ['sea', 'port'] } },
        },
        { name: 'X-Trace', in: 'header', required: true, schema: text, example: 'abc' },
        { name: 'If-None-Match', in: 'header', schema: text },
        { name: 'where', in: 'query', content: json({ type: 'object' }) },
        { name: 'path', in: 'query', allowReserved: true, schema: text },
      ],
      responses: {
        103: reply('Early hints.'),
        200: reply('Ships.', json({ type: 'array', items: ref('Ship') }), {
          headers: {
            Link: { schema: text },
            ETag: etag,
            'X-Total': { required: true, schema: whole },
            'X-Share': { schema: { type: 'number' } },
            'X-Kind': { schema: { enum: ['a', 'b'] } },
            'X-One': { schema: { const: 'a' } },
            'X-Flag': { schema: { type: 'boolean' } },
            'X-Mixed': { schema: { enum: ['a', 1] } },
          },
        }),
        304: reply('Not changed.', json({}), { headers: { ETag: etag } }),
        400: reply('Malformed.', problem),
        '4XX': reply('Refused.', json(ref('Fault'))),
        default: reply('Anything else.', { 'text/plain': { schema: text } }),
      },
    },
    post: {
      tags: ['ships'],
      operationId: 'createShip',
      parameters: [{ name: 'Idempotency-Key', in: 'header', schema: text }],
      requestBody: { required: true, content: json(ref('Ship'), { example: ship }) },
      responses: {
        201: reply('Created.', json(ref('Ship')), {
          headers: { Location: { $ref: '#/components/headers/Place' } },
        }),
        400: reply('Too long.', json(ref('Fault'))),
        409: reply('There is one.', { 'application/problem+json': {} }),
        500: reply('Broken.'),
      },
    },
  },
  '/ships/{id}': {
    parameters: [id],
    get: {
      tags: ['ships'],
      operationId: 'getShip',
      responses: {
        200: reply('The ship.', json(ref('Ship')), {
          headers: { ETag: etag },
          links: {
            other: { operationId: 'replaceShip', parameters: { id: '$request.path.id' } },
            write: { $ref: '#/components/links/Write' },
          },
        }),
      },
    },
    put: {
      tags: ['ships'],
      operationId: 'replaceShip',
      parameters: ['If-Match', 'Idempotency-Key'].map((name) => ({
        name,
        in: 'header',
        schema: text,
      })),
      requestBody: { required: true, content: json(ref('Ship')) },
      responses: { 200: reply('The ship.', json(ref('Ship'))) },
    },
    delete: {
      tags: ['ships'],
      operationId: 'deleteShip',
      // RFC 9110: neither has a body.
      responses: { 204: reply('Done.', json({})), 205: reply('Reset.', json({})) },
    },
    head: {
      tags: ['ships'],
      operationId: 'hasShip',
      requestBody: { content: json({}) },
      responses: { 200: reply('There is one.', json(ref('Ship'))) },
    },
    trace: { tags: ['ships'], operationId: 'traceShip', ...done },
  },
};

const form = {
  type: 'object',
  required: ['photo'],
  properties: {
    photo: { type: 'string', format: 'binary' },
    scan: { contentMediaType: 'image/png' },
    note: { type: 'string', contentMediaType: 'text/plain' },
    encoded: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
    number: { type: 'integer', format: 'binary' },
    others: { type: 'array', items: { type: 'string', format: 'binary' } },
    file: ref('File'),
    files: ref('Files'),
  },
};

const bodies = {
  '/photos/{id}': {
    post: {
      operationId: 'photos/add',
      parameters: [id],
      requestBody: {
        content: {
          'image/*': {},
          'multipart/mixed': {},
          'multipart/form-data': {
            schema: form,
            example: { photo: 'bytes', others: ['a', 'b'] },
            encoding: {
              note: { contentType: 'text/plain' },
              photo: { style: 'form' },
              number: { style: 'pipeDelimited' },
              others: { explode: false },
            },
          },
          'application/x-www-form-urlencoded': { schema: ref('Ship') },
        },
      },
      responses: { 202: reply('Taken.'), 303: reply('Elsewhere.'), 304: reply('The same.') },
    },
    get: {
      operationId: 'photos.get-one',
      parameters: [id],
      requestBody: { content: json({}) },
      responses: {
        '2XX': reply('Bytes.', { 'image/png': {} }),
        404: reply('None.', { 'text/html': {} }),
      },
    },
  },
  '/v2/files': {
    put: {
      requestBody: { required: true, content: { '*/*': {} } },
      responses: { 200: reply('Read.', { '*/*': {} }) },
    },
    post: {
      requestBody: { required: true, content: { 'text/*': { example: 'a "b"' } } },
      responses: { 200: reply('Read.', { 'text/event-stream': {} }) },
    },
    patch: {
      requestBody: { required: true, content: { 'application/xml': {}, 'image/png': {} } },
      responses: { 200: reply('A form.', { 'application/x-www-form-urlencoded': {} }) },
    },
    get: { responses: { 200: reply('Parts.', { 'multipart/form-data': {} }) } },
    delete: {
      requestBody: { content: { 'multipart/mixed': {} } },
      responses: { default: reply('Whatever.', json(ref('Ship'))) },
    },
    options: { responses: { 404: reply('None.', json({})) } },
  },
};

/** A contract with every form of an operation that a client can have. */
export const sdkContract = {
  openapi: '3.1.0',
  info: {
    title: 'fleet of ships',
    version: '1.2',
    description: '\n  \nShips and photos.\nMore.',
    license: { name: 'MIT License', identifier: 'MIT' },
  },
  servers: [{ url: 'https://{region}.example/v1', variables: { region: { default: 'eu' } } }],
  tags: [{ name: 'empty' }, { name: 'ships', description: 'Ships at sea.' }],
  paths: { ...ships, ...bodies },
  components: {
    schemas: {
      Ship: {
        type: 'object',
        required: ['name'],
        properties: { id: { ...whole, readOnly: true }, name: text },
      },
      Problem: { type: 'object', properties: { detail: text } },
      Fault: { type: 'object', properties: { reason: text } },
      File: { type: 'string', format: 'binary' },
      Files: { type: 'array', items: { type: 'string', format: 'binary' } },
    },
    headers: { Place: { required: true, description: 'Where it is.', schema: text } },
    links: {
      Write: { operationId: 'replaceShip', parameters: { 'If-Match': '$response.header.ETag' } },
    },
    securitySchemes: {
      token: { type: 'oauth2', flows: {} },
      key: { type: 'apiKey', in: 'query', name: 'k' },
      user: { $ref: '#/components/securitySchemes/basic' },
      basic: { type: 'http', scheme: 'Basic' },
    },
  },
};
