/** A contract with a complete collection, as an SDK's README shows one, and an SDL with operations. */
export const ports = {
  openapi: `openapi: 3.1.0
info: { title: Ports, version: 1.2.0, summary: Ports and their ships., license: { name: MIT License, identifier: MIT } }
servers: [{ url: 'https://ports.test' }]
tags: [{ name: ports, description: Where ships are. }]
paths:
  /ports:
    get:
      operationId: listPorts
      tags: [ports]
      summary: List the ports
      parameters:
        - { name: limit, in: query, schema: { type: integer }, example: 2 }
        - { name: after, in: query, schema: { type: string } }
      responses:
        '200':
          description: The ports.
          headers: { Link: { schema: { type: string } } }
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Port' } }
              example: [{ id: 1, name: Ur, piers: 3 }, { id: 2, name: Tyre, piers: 4 }]
        '400': { $ref: '#/components/responses/Refused' }
    post:
      operationId: createPort
      tags: [ports]
      summary: Create a port
      description: Kept at once.
      security: [{}, { bearer: [] }]
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/PortInput' }
            example: { name: Sidon, piers: 5 }
      responses:
        '201':
          description: The port.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Port' }
              example: { id: 3, name: Sidon, piers: 5 }
        '400': { $ref: '#/components/responses/Refused' }
  /ports/{id}:
    parameters: [{ name: id, in: path, required: true, description: Its number., schema: { type: integer }, example: 1 }]
    get:
      operationId: getPort
      tags: [ports]
      summary: Get a port
      parameters: [{ name: If-None-Match, in: header, schema: { type: string } }]
      responses:
        '200':
          description: The port.
          headers: { ETag: { required: true, schema: { type: string } } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Port' }
              example: { id: 1, name: Ur, piers: 3 }
          links: { replace: { operationId: replacePort, parameters: { id: '$response.body#/id', If-Match: $response.header.ETag } } }
        '304': { description: It is as it was., headers: { ETag: { required: true, schema: { type: string } } } }
        '404': { $ref: '#/components/responses/NotFound' }
    put:
      operationId: replacePort
      tags: [ports]
      summary: Replace a port
      parameters: [{ name: If-Match, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/PortInput' } } } }
      responses:
        '200': { description: The port., content: { application/json: { schema: { $ref: '#/components/schemas/Port' } } } }
        '412': { $ref: '#/components/responses/Refused' }
    delete:
      operationId: deletePort
      tags: [ports]
      summary: Delete a port
      parameters: [{ name: If-Match, in: header, schema: { type: string } }]
      responses: { '204': { description: It is gone. }, '412': { $ref: '#/components/responses/Refused' } }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
  responses:
    Refused: { description: It is refused., content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } } }
    NotFound:
      description: There is none.
      content: { application/json: { schema: { $ref: '#/components/schemas/Problem' }, example: { detail: There is no such port. } } }
  schemas:
    Port:
      description: Where ships are.
      type: object
      required: [id, name, piers]
      properties: { id: { type: integer }, name: { type: string }, piers: { type: integer, description: How many. } }
    PortInput:
      type: object
      required: [name, piers]
      properties: { id: { type: integer }, name: { type: string }, piers: { type: integer } }
    Problem: { type: object, properties: { detail: { type: string } } }
    GraphqlError:
      type: object
      properties: { extensions: { type: object, properties: { code: { type: string, enum: [NOT_FOUND, UNAVAILABLE] } } } }
`,
  sdl: `type Query {
  "One port."
  port(id: ID!, kinds: [Kind!], near: Point, since: Day): Port
  ports(first: Int = 3, names: [String]): [Port!]!
  search(text: String!): [Found]
  motto: String!
}

type Mutation { rename(id: ID!, name: String!, keep: Boolean): Port! }
type Subscription { landed: Port! }

interface Named { name: String! }
"Where ships are."
type Port implements Named { id: ID! "What it is called." name: String! piers: Int depth: Float open: Boolean! kind: Kind opened: Day ships: [[Ship]!] }
type Ship implements Named { id: ID! name: String! size: Int! port: Port }
type Buoy { size: Int! lit: Boolean }
union Found = Port | Ship | Buoy
enum Kind { SEA RIVER }
input Point { x: Float! y: Float }
scalar Day
`,
  operations: `# One port, with its ships.
# variables {"id": "1"}
# answers {"port": {"name": "Ur", "ships": []}}
query GetPort($id: ID!, $kinds: [Kind!], $near: Point, $since: Day, $deep: Boolean = false) {
  port(id: $id, kinds: $kinds, near: $near, since: $since) {
    ...Basics
    called: name
    depth @include(if: $deep)
    ships { id name from: port { id } }
  }
}

# What is found.
query search_all {
  search(text: "\\\\ a \`b\` $\{c}") {
    __typename
    ... on Named { name }
    ... on Ship { size }
    ... on Buoy { size lit }
    ... on Port { piers kind opened }
  }
  motto
}

mutation Rename($id: ID!, $name: String!) { rename(id: $id, name: $name) { id open } }

subscription Landed { landed { id } }

fragment Basics on Port { id name ships { size from: port { open } } }
`,
};

/** A contract whose operations have all kinds of parameters, bodies, answers, refusals and credentials. */
export const harbour = {
  openapi: `openapi: 3.1.0
info:
  title: The harbour
  version: '2'
  description: |

    All that a harbour has.
    And more.
  license: { name: Our own license }
servers: [{ url: 'https://{zone}.harbour.test/v1', variables: { zone: { default: eu } } }]
security: [{ key: [] }, { user: [], token: [] }]
tags: [{ name: cargo, description: What ships carry. }]
paths:
  /cargo/{kind}/{id}:
    get:
      operationId: getCargo
      tags: [cargo]
      summary: Get cargo | in parts
      description: With everything.
      deprecated: true
      parameters:
        - { name: kind, in: path, required: true, style: label, explode: true, schema: { type: array, items: { type: string } } }
        - { name: id, in: path, required: true, style: matrix, schema: { type: [integer, 'null'] } }
        - { name: filter, in: query, style: deepObject, explode: true, schema: { type: object, properties: { min: { type: integer } } } }
        - { name: sort by, in: query, required: true, schema: { enum: [size, age] }, description: The order. }
        - { name: where, in: query, content: { application/json: { schema: { type: object } } } }
        - { name: path, in: query, allowReserved: true, schema: { type: string } }
        - { name: tags, in: query, style: pipeDelimited, schema: { type: array, items: { type: string } } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: string } }
        - { name: timeout, in: query, schema: { type: integer } }
      responses:
        '200':
          description: The cargo.
          headers: { X-Count: { required: true, schema: { type: integer } }, X-Kind: { schema: { enum: [a, b] } } }
          content:
            application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/Box' }, { $ref: '#/components/schemas/Barrel' }], discriminator: { propertyName: type, mapping: { box: '#/components/schemas/Box', barrel: '#/components/schemas/Barrel' } } } }
            text/csv: {}
        '202': { description: Later. }
        '303': { description: Elsewhere., headers: { Location: { schema: { type: string } } } }
        '404': { description: There is none. }
        '4XX': { description: Another fault., content: { application/problem+json: { schema: { $ref: '#/components/schemas/Fault' } } } }
        default: { description: Any fault., content: { application/json: { schema: { type: string } } } }
    trace: { responses: { '200': { description: It. } } }
  /cargo:
    post:
      operationId: loadCargo
      tags: [cargo]
      security: []
      parameters: [{ name: pier, in: query, required: true, schema: { type: integer } }]
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, required: [file], properties: { file: { type: string, contentMediaType: application/octet-stream }, tags: { type: array, items: { type: string } }, more: { type: object } } }
            encoding: { tags: { style: pipeDelimited, explode: false }, more: { style: deepObject }, file: { contentType: image/png } }
          application/x-www-form-urlencoded: { schema: { type: object, properties: { tags: { type: array, items: { type: string } } } } }
          multipart/mixed: { schema: { type: object } }
      responses: { '201': { description: It is loaded., content: { image/png: { schema: { type: string } } } }, '409': { description: Full., content: { application/json: { schema: { $ref: '#/components/schemas/Fault' } } } } }
    put:
      operationId: setCargo
      tags: [cargo]
      security: [{ cookie: [] }, { search: [], never: [] }]
      requestBody: { content: { text/plain: { schema: { type: string } } } }
      responses: { '204': { description: It is set. } }
    patch:
      operationId: changeCargo
      tags: [cargo]
      requestBody: { required: true, content: { 'image/*': { schema: {} } } }
      responses: { default: { description: Anything., content: { '*/*': {} } } }
  /ships/{id}/log:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: after, in: query, schema: { type: string } }
      responses:
        '200':
          description: The log.
          headers: { Link: { schema: { type: string } } }
          content: { application/json: { schema: { type: array, items: { type: object, properties: { at: { type: string, format: date-time } } } } } }
        '409': { description: Busy., content: { application/json: { schema: { type: object, properties: { by: { type: string } } } } } }
    head: { operationId: headLog, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '200': { description: It. } } }
  /events:
    get:
      operationId: list
      tags: [list]
      summary: Watch.
      responses: { '200': { description: They., content: { text/event-stream: { schema: { type: string } } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    user: { type: http, scheme: basic }
    token: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.test', scopes: {} } } }
    cookie: { type: apiKey, in: cookie, name: sid }
    search: { type: apiKey, in: query, name: k }
    never: { type: mutualTLS }
  schemas:
    Box: { type: object, required: [type], properties: { type: { const: box }, lid: { type: boolean, readOnly: true }, inner: { $ref: '#/components/schemas/Box' } } }
    Barrel: { type: object, required: [type], properties: { type: { const: barrel }, 'a-b': { type: [string, 'null'] }, import: { type: number } }, additionalProperties: false }
    Fault: { type: object, properties: { code: { type: string }, 'Fault': { type: integer } } }
    Cargo: { type: string }
`,
  sdl: '',
  operations: '',
};

/** The least that an SDK can be made from. */
export const buoy = {
  openapi: `openapi: 3.1.0
info: { title: Buoy, version: 1.0.0 }
paths: { /light: { put: { responses: { '204': { description: It is lit. } } } } }
`,
  sdl: '',
  operations: '',
};

/** SDLs without operations: with a field that anybody can ask for, and without. */
export const motto = {
  openapi: '',
  sdl: 'type Query { port(id: ID!): Int, motto: String! }\n',
  operations: '',
};
export const closed = { openapi: '', sdl: 'type Query { port(id: ID!): Int }\n', operations: '' };
