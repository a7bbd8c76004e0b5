/** Two versions of both contracts of somebody else, between which something of every kind changes. */
export const skyBefore = {
  openapi: `openapi: 3.1.0
info: { title: Sky, version: 1.0.0 }
servers: [{ url: https://sky.test }]
paths:
  /planets:
    get:
      operationId: listPlanets
      summary: List the planets.
      tags: [planets]
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
        - { name: colour, in: query, schema: { type: string, enum: [red, blue] } }
      responses:
        '200':
          description: The planets.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Planet' } }
    post:
      operationId: createPlanet
      summary: Create a planet.
      tags: [planets]
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/PlanetInput' } } }
      responses:
        '201':
          description: The planet.
          content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } }
  /planets/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
    get:
      operationId: getPlanet
      summary: Get a planet.
      tags: [planets]
      responses:
        '200':
          description: The planet.
          content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } }
    delete:
      operationId: deletePlanet
      summary: Delete a planet.
      tags: [planets]
      responses: { '204': { description: It is gone. } }
components:
  schemas:
    Planet:
      type: object
      required: [id, name]
      x-parity: { id: It is a number here. }
      properties:
        id: { type: integer, format: int32, maximum: 9999 }
        name: { type: string, maxLength: 100, description: Its name. }
        mass: { type: number, minimum: 0, maximum: 9 }
    PlanetInput:
      type: object
      required: [name]
      additionalProperties: false
      properties:
        name: { type: string, maxLength: 100, example: Io }
        mass: { type: number, default: 1 }
`,
  sdl: `type Query {
  planets(limit: Int): [Planet!]!
  planet(id: ID!): Planet
}

type Mutation {
  createPlanet(name: String!): Planet!
}

type Planet {
  id: ID!
  name: String!
  mass: Float
  "Who found it."
  finder: String
}
`,
};

/** The second version. */
export const skyAfter = {
  openapi: edited(skyBefore.openapi, [
    [/ {4}delete:[\s\S]*?(?=components:)/, ''],
    ['maximum: 100 }', 'maximum: 50 }'],
    ['enum: [red, blue]', 'enum: [red, blue, "a|b"]'],
    [
      '      responses:',
      '        - { name: sort, in: query, schema: { type: string } }\n        - { name: kind, in: query, schema: { type: string } }\n      responses:',
    ],
    ['summary: Get a planet.', 'summary: Get one planet.\n      deprecated: true'],
    ['description: Its name.', 'description: The name of it.'],
    ['minimum: 0, maximum: 9 }', 'minimum: 0, maximum: 9 }\n        moons: { type: integer }'],
    ['maxLength: 100, example: Io', 'maxLength: 200, example: Io'],
    ['default: 1', 'default: 2'],
    [
      'components:\n  schemas:\n',
      `  /comets:
    get:
      operationId: listComets
      summary: List the comets.
      tags: [comets]
      responses: { '200': { description: The comets. } }
    post:
      operationId: createComet
      tags: [comets]
      responses: { '201': { description: The comet. } }
components:
  schemas:
    Comet: { type: object, properties: { tail: { type: number, minimum: 0, maximum: 9 } } }
`,
    ],
  ]),
  sdl: edited(skyBefore.sdl, [
    ['planets(limit: Int)', 'planets(limit: Int, kind: String)'],
    ['mass: Float\n', 'mass: Float!\n  moons: Int\n'],
    ['  finder: String\n', ''],
    ['  "Who found it."\n', ''],
    ['createPlanet(name: String!)', 'createPlanet(name: String!, mass: Float = 1)'],
    ['type Planet {', 'type Comet {\n  tail: Float!\n}\n\ntype Planet {'],
    ['planet(id: ID!): Planet', 'planet(id: ID!): Planet\n  comets: [Comet!]!'],
  ]),
};

/** The operations of the project, some of which use what changed. */
export const skyOperations = `# Every planet with its mass.
query Planets { planets { id name mass } }

# One of them.
# variables { "id": "1" }
query OnePlanet($id: ID!) { planet(id: $id) { id } }

mutation Create { createPlanet(name: "Io") { id mass } }
`;

function edited(text: string, edits: readonly (readonly [string | RegExp, string])[]): string {
  return edits.reduce((given, [from, to]) => {
    const made = given.replace(from, to);
    if (made === given) throw new Error(`${from} is not there`);
    return made;
  }, text);
}
