/** Contracts of somebody else, into which changes of every class are planted. */
export const plantedOpenapi = `openapi: 3.0.3
info: { title: Sky, version: 1.0.0 }
servers: [{ url: https://sky.test }]
security: [{ key: [] }]
paths:
  /planets:
    get:
      operationId: listPlanets
      summary: List the planets
      tags: [planets]
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
        - { name: kind, in: query, schema: { type: string, enum: [rock, gas, ice] } }
        - { name: tags, in: query, style: form, explode: true, schema: { type: array, maxItems: 5, items: { type: string } } }
      responses:
        '200':
          description: The planets.
          headers:
            X-Total: { required: true, schema: { type: integer } }
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Planet' } }
            text/csv: { schema: { type: string } }
    post:
      operationId: createPlanet
      summary: Create a planet
      tags: [planets]
      security: [{ oauth: [write] }]
      requestBody:
        required: false
        content:
          application/json:
            schema: { $ref: '#/components/schemas/PlanetInput' }
          application/xml:
            schema: { type: object, properties: { name: { type: string } } }
      responses:
        '201':
          description: The planet.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Planet' }
        '409': { description: There is one of that name. }
  /planets/{id}:
    get:
      operationId: getPlanet
      summary: Get a planet
      tags: [planets]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
      responses:
        '200':
          description: The planet.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Planet' }
    delete:
      operationId: deletePlanet
      summary: Delete a planet
      tags: [planets]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
      responses:
        '204': { description: It is gone. }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    oauth:
      type: oauth2
      flows:
        clientCredentials:
          tokenUrl: https://sky.test/token
          scopes: { read: Read., write: Write., admin: All. }
  schemas:
    Planet:
      type: object
      required: [id, name, mass]
      properties:
        id: { type: integer, format: int64 }
        name: { type: string, minLength: 1, maxLength: 100 }
        mass: { type: number }
        kind: { type: string, enum: [rock, gas, ice] }
        orbit: { $ref: '#/components/schemas/Orbit' }
        note: { type: string }
    Orbit:
      type: object
      properties:
        days: { type: integer }
    PlanetInput:
      type: object
      required: [name]
      additionalProperties: false
      properties:
        name: { type: string, minLength: 1, maxLength: 100, pattern: '^[a-z]+$' }
        mass: { type: number, nullable: true, minimum: 0 }
        kind: { type: string, enum: [rock, gas, ice] }
        note: { type: string }
`;

export const plantedSdl = `type Query {
  planets(limit: Int = 20, kind: Kind, where: PlanetFilter): [Planet!]!
  planet(id: ID!): Planet
  search(text: String!): [Hit!]!
}

type Mutation {
  createPlanet(input: PlanetInput!): Planet!
  removePlanet(id: ID!): Boolean!
}

type Subscription {
  planetCreated: Planet!
}

interface Named {
  name: String!
}

type Planet implements Named {
  id: ID!
  name: String!
  mass: Float
  kind: Kind!
  moons(first: Int): [Moon!]!
  note: String @deprecated(reason: "Use name.")
}

type Moon implements Named {
  id: ID!
  name: String!
}

type Star {
  id: ID!
  class: String
}

union Hit = Planet | Moon

enum Kind {
  ROCK
  GAS
  ICE
}

enum Order {
  NAME
  MASS
}

input PlanetFilter {
  name: String
  kind: Kind
  order: Order = NAME
}

input PlanetInput {
  name: String!
  mass: Float
}

directive @cost(weight: Int) on FIELD_DEFINITION
directive @only(if: Boolean) on FIELD | QUERY
`;
