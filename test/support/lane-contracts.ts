/** Contracts with every feature that the reader admits, for the comparison of the lane with the full path. */

const ok = `responses: { '200': { description: Echo, content: { application/json: {} } } }`;

/** Every kind of parameter, on every level, and every way in which paths overlap. */
export const parameterContract = `
openapi: 3.1.0
info: { title: Parameters, version: 1.0.0 }
paths:
  /required:
    get:
      operationId: required
      parameters:
        - { name: name, in: query, required: true, schema: { type: string } }
        - { name: size, in: query, required: true, schema: { type: integer } }
        - { name: X-Key, in: header, required: true, schema: { type: string, minLength: 1 } }
        - { name: X-Count, in: header, required: true, schema: { type: integer, minimum: -5 } }
      ${ok}
  /optional:
    get:
      operationId: optional
      parameters:
        - { name: kind, in: query, schema: { type: string, enum: [a, b, '1'] } }
        - { name: code, in: query, schema: { type: string, pattern: '^[a-z]{2}[0-9]?$' } }
        - { name: text, in: query, schema: { type: string, format: text, maxLength: 5 } }
        - { name: level, in: query, schema: { type: integer, enum: [1, 2, 30] } }
        - { name: small, in: query, schema: { type: integer, format: int64, minimum: 0, maximum: 9 } }
        - { name: step, in: query, schema: { type: integer, multipleOf: 5, exclusiveMaximum: 50 } }
        - { name: empty, in: query, allowEmptyValue: true, schema: { type: string } }
        - { name: X-Kind, in: header, schema: { type: string, enum: [a, b] } }
        - { name: X-Level, in: header, schema: { $ref: '#/components/schemas/Level' } }
        - { name: If-Modified-Since, in: header, schema: { type: string } }
        - { name: Authorization, in: header, required: true, schema: { type: string } }
      ${ok}
  /formats:
    get:
      operationId: formats
      parameters:
        - { name: long, in: query, required: true, schema: { type: integer, format: int64 } }
        - { name: untyped, in: query, schema: { minLength: 2 } }
        - { name: constructor, in: query, schema: { type: string } }
      ${ok}
  /levels/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
      - { name: mode, in: query, required: true, schema: { type: string, enum: [a, b] } }
      - { name: page, in: query, schema: { type: string, enum: [first] } }
      - { name: X-Trace, in: header, required: true, schema: { $ref: '#/components/schemas/Trace' } }
    get:
      operationId: overridden
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, maximum: 20 } }
        - { name: mode, in: query, schema: { type: string, enum: [c] } }
        - { $ref: '#/components/parameters/Page' }
        - { name: x-trace, in: header, schema: { type: integer } }
      ${ok}
    delete:
      operationId: inherited
      ${ok}
  /places/{name}:
    parameters:
      - { name: name, in: query, required: true, schema: { type: string, enum: [in-query] } }
      - { name: name, in: header, schema: { type: string, enum: [in-header] } }
    get:
      operationId: places
      parameters:
        - { name: name, in: path, required: true, schema: { type: string, pattern: '^[a-z]+$' } }
      ${ok}
  /missed/{number}/{word}:
    get:
      operationId: missed
      parameters:
        - { name: number, in: path, required: true, x-malformed-status: 404, schema: { type: integer } }
        - { name: word, in: path, required: true, x-malformed-status: 404, schema: { type: string, maxLength: 3 } }
      ${ok}
  /exotic:
    get:
      operationId: exotic
      parameters:
        - { name: session, in: cookie, required: true, schema: { type: string, minLength: 2 } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object, required: [a], additionalProperties: true } } } }
        - { name: Set-Cookie, in: header, schema: { type: string } }
      ${ok}
  /a/{x}/b:
    get:
      operationId: outer
      parameters: [{ name: x, in: path, required: true, schema: { type: string } }]
      ${ok}
  /{y}/c/d:
    get:
      operationId: inner
      parameters: [{ name: y, in: path, required: true, schema: { type: string, maxLength: 4 } }]
      ${ok}
  /a/c/{z}:
    get:
      operationId: last
      parameters: [{ name: z, in: path, required: true, schema: { type: integer } }]
      ${ok}
  /only-post:
    summary: No GET
    post:
      operationId: onlyPost
      ${ok}
  /dashed/{user-id}:
    get:
      operationId: dashed
      parameters: [{ name: user-id, in: path, required: true, schema: { type: string } }]
      ${ok}
  /heads:
    get: { operationId: heads, ${ok} }
    head: { operationId: ownHead, ${ok} }
    options: { operationId: ownOptions, ${ok} }
  /only-head:
    head: { operationId: onlyHead, ${ok} }
  /nothing:
    get: { operationId: nothing, ${ok} }
components:
  schemas:
    Level: { type: integer, minimum: 1, maximum: 3 }
    Trace: { type: string, pattern: '^[0-9a-f]{4}$' }
  parameters:
    Page: { name: page, in: query, required: true, schema: { type: integer, minimum: 1, maximum: 9 } }
`;

/** Parameters of every type in every style, of `content`, with defaults, and with names that say nothing of it. */
export const styleContract = `
openapi: 3.1.0
info: { title: Styles, version: 1.0.0 }
security: [{}, { key: [] }]
paths:
  /lists:
    get:
      operationId: lists
      parameters:
        - { name: form, in: query, schema: { type: array, items: { type: integer }, maxItems: 3 } }
        - { name: joined, in: query, explode: false, schema: { type: array, items: { type: string, minLength: 1 } } }
        - { name: spaced, in: query, style: spaceDelimited, explode: false, schema: { type: array, items: { type: boolean } } }
        - { name: piped, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: number }, uniqueItems: true } }
        - { name: X-List, in: header, schema: { type: array, items: { type: integer, minimum: 0 } } }
        - { name: ids, in: cookie, explode: false, schema: { type: array, items: { type: integer } } }
      ${ok}
  /objects:
    get:
      operationId: objects
      parameters:
        - { name: spread, in: query, schema: { $ref: '#/components/schemas/Range' } }
        - { name: joined, in: query, explode: false, schema: { $ref: '#/components/schemas/Range' } }
        - { name: filter, in: query, style: deepObject, explode: true, schema: { $ref: '#/components/schemas/Filter' } }
        - { name: json, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/Filter' } } } }
        - { name: 'page[size]', in: query, schema: { type: integer, default: 20, minimum: 1 } }
        - { name: X-Object, in: header, explode: true, schema: { $ref: '#/components/schemas/Range' } }
        - { name: prefs, in: cookie, explode: false, schema: { $ref: '#/components/schemas/Range' } }
      ${ok}
  /open:
    get:
      operationId: open
      parameters:
        - { name: known, in: query, schema: { type: boolean } }
        - { name: others, in: query, schema: { type: object, additionalProperties: { type: [integer, string] }, maxProperties: 4 } }
      ${ok}
  /types:
    get:
      operationId: types
      parameters:
        - { name: number, in: query, required: true, schema: { type: number, exclusiveMinimum: -10 } }
        - { name: boolean, in: query, schema: { type: boolean } }
        - { name: either, in: query, schema: { oneOf: [{ type: integer, minimum: 5 }, { type: string, pattern: '^[a-z]+$' }] } }
        - { name: nullable, in: query, schema: { type: [integer, 'null'] } }
        - { name: date, in: query, schema: { type: string, format: date } }
        - { name: uuid, in: query, schema: { type: string, format: uuid } }
        - { name: limit, in: query, schema: { $ref: '#/components/schemas/Limit' } }
        - { name: listed, in: query, schema: { type: array, items: { type: string }, default: [a, b] } }
        - { name: token, in: cookie, schema: { type: string, default: none } }
        - { name: constructor, in: query, schema: { type: boolean } }
        - { name: constructor, in: header, schema: { type: integer } }
      ${ok}
  /simple/{a}/{b}:
    get:
      operationId: simple
      parameters:
        - { name: a, in: path, required: true, schema: { type: array, items: { type: integer } } }
        - { name: b, in: path, required: true, explode: true, schema: { $ref: '#/components/schemas/Range' } }
      ${ok}
  /label/{a}/{b}:
    get:
      operationId: label
      parameters:
        - { name: a, in: path, required: true, style: label, explode: true, schema: { type: array, items: { type: integer } } }
        - { name: b, in: path, required: true, style: label, schema: { type: boolean } }
      ${ok}
  /matrix/{a}/{b}:
    get:
      operationId: matrix
      parameters:
        - { name: a, in: path, required: true, style: matrix, explode: true, schema: { type: array, items: { type: integer } } }
        - { name: b, in: path, required: true, style: matrix, schema: { $ref: '#/components/schemas/Range' } }
      ${ok}
    post:
      operationId: search
      parameters:
        - { name: a, in: path, required: true, style: matrix, schema: { type: string } }
        - { name: b, in: path, required: true, style: matrix, explode: true, schema: { $ref: '#/components/schemas/Range' } }
        - { name: sort, in: query, explode: false, schema: { type: array, items: { enum: [a, -a, b] }, default: [a] } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Filter' } } } }
      ${ok}
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: api_key }
  schemas:
    Limit: { type: integer, minimum: 1, maximum: 9, default: 5 }
    Range:
      type: object
      additionalProperties: false
      properties: { from: { type: integer }, to: { type: integer, minimum: 3 }, exact: { type: boolean } }
    Filter:
      type: object
      required: [name]
      properties:
        name: { type: string, minLength: 1 }
        tags: { type: array, items: { type: string } }
        range: { $ref: '#/components/schemas/Range' }
        level: { type: integer, default: 1 }
`;

const body = (id: string, schema: string) => `
  /${id}:
    post:
      operationId: ${id}
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      ${ok}`;
const component = (name: string) => body(name, `{ $ref: '#/components/schemas/${name}' }`);
const wide = Array.from({ length: 120 }, (_, i) => `p${i}: { type: integer }`).join(', ');

/** Bodies with every keyword that matters to a request. */
export const bodyContract = `
openapi: 3.1.0
info: { title: Bodies, version: 1.0.0 }
paths:${[
  ...['record', 'pet', 'shape', 'merged', 'settings', 'closed', 'open', 'counted', 'numbers'],
  ...['wide', 'tree', 'texts', 'formats', 'nested'],
]
  .map(component)
  .join('')}
  ${body('list', `{ type: array, maxItems: 120, items: { $ref: '#/components/schemas/settings' } }`)}
  ${body('beside', `{ $ref: '#/components/schemas/open', description: Beside a reference }`)}
  ${body('whatever', 'true')}
  ${body('word', '{ type: string, minLength: 2, maxLength: 4 }')}
  /anything:
    put:
      operationId: anything
      parameters: [{ name: dry, in: query, required: true, schema: { type: string, enum: ['yes', 'no'] } }]
      requestBody: { required: true, content: { application/json: {} } }
      ${ok}
  /shared/{key}:
    parameters: [{ name: key, in: path, required: true, schema: { type: integer, minimum: 1 } }]
    patch:
      operationId: shared
      parameters: [{ name: X-Version, in: header, required: true, schema: { type: integer } }]
      requestBody: { $ref: '#/components/requestBodies/Settings' }
      ${ok}
components:
  requestBodies:
    Settings: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/settings' } } } }
  schemas:
    record:
      type: object
      required: [id, name]
      additionalProperties: false
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, minLength: 1 }
        secret: { type: string, writeOnly: true }
        nested: { type: object, properties: { at: { type: string, readOnly: true }, x: { type: integer } } }
    cat:
      type: object
      required: [kind, lives]
      properties: { kind: { type: string }, lives: { type: integer, minimum: 1 }, name: { type: string } }
    dog:
      type: object
      required: [kind, good]
      properties: { kind: { type: string }, good: { type: boolean }, name: { type: string } }
    pet:
      oneOf: [{ $ref: '#/components/schemas/cat' }, { $ref: '#/components/schemas/dog' }]
      discriminator:
        propertyName: kind
        mapping: { tom: '#/components/schemas/cat', rex: '#/components/schemas/dog' }
    shape:
      oneOf:
        - { type: object, required: [radius], additionalProperties: false, properties: { radius: { type: number, exclusiveMinimum: 0 } } }
        - { type: object, required: [side], additionalProperties: false, properties: { side: { type: number, exclusiveMinimum: 0 } } }
    merged:
      allOf:
        - { $ref: '#/components/schemas/settings' }
        - { type: object, required: [title], properties: { title: { type: string, maxLength: 3 }, tags: { type: array, items: { type: string, enum: [x, y] }, default: [x] } } }
      maxProperties: 6
    settings:
      type: object
      properties:
        on: { type: boolean, default: false }
        size: { type: [integer, 'null'], minimum: 0, default: null }
        deep:
          type: object
          default: { list: [1], inner: { a: 1 } }
          properties:
            list: { type: array, items: { type: integer }, default: [] }
            inner: { type: object, properties: { b: { type: string, default: b } }, additionalProperties: { type: integer } }
    closed:
      type: object
      additionalProperties: false
      properties: { a: { type: [string, 'null'] }, b: { const: 1 }, c: { enum: [1, one, null] } }
    open: { type: object, required: [a], properties: { a: { type: number, multipleOf: 0.5 } }, additionalProperties: true }
    counted: { type: object, additionalProperties: { type: integer }, minProperties: 1, maxProperties: 110 }
    numbers:
      type: object
      required: [n]
      properties:
        n: { type: integer, minimum: -3, exclusiveMaximum: 10 }
        big: { type: integer }
        x: { type: number, maximum: 1.5 }
    wide: { type: object, additionalProperties: false, required: [p0, p119], properties: { ${wide} } }
    tree: { type: object, required: [v], additionalProperties: false, properties: { v: { type: string }, children: { type: array, items: { $ref: '#/components/schemas/tree' }, uniqueItems: true } } }
    texts:
      type: object
      required: [t]
      properties: { t: { type: string, format: text, pattern: '^[^\\u0000]*$' }, u: { type: string, pattern: '^\\p{L}+$' } }
    formats: { type: object, required: [n], properties: { n: { type: integer, format: int64 }, m: { type: number, format: int64 } } }
    nested: { type: object, required: [pet], properties: { pet: { $ref: '#/components/schemas/pet' }, record: { $ref: '#/components/schemas/record' } } }
`;
