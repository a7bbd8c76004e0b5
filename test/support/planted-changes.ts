import type { Level } from '../../src/kit/cli/review/change.ts';

/** A change to a contract, its verdict and the sentence that explains it. */
export type Planted = {
  readonly what: string;
  readonly from: string | RegExp;
  readonly to: string;
  readonly level: Level;
  readonly sentence: string;
  /** What oasdiff 1.30.0 says of it: error, warning, info or nothing. */
  readonly oasdiff?: string;
  /** Why the verdict is not that of oasdiff or GraphQL Inspector. */
  readonly reason?: string;
};

export const plantedInRest: readonly Planted[] = [
  {
    what: 'an operation goes',
    from: / {4}delete:[\s\S]*?(?=components:)/,
    to: '',
    level: 'breaking',
    sentence: '`DELETE /planets/{id}` (Delete a planet) is gone: clients that call it fail.',
    oasdiff: 'error',
  },
  {
    what: 'a path moves',
    from: '  /planets/{id}:',
    to: '  /worlds/{id}:',
    level: 'breaking',
    sentence:
      '`GET /planets/{id}` is now `GET /worlds/{id}`: clients that call the old address fail.',
    oasdiff: 'error',
  },
  {
    what: 'an operation is renamed',
    from: 'operationId: getPlanet',
    to: 'operationId: readPlanet',
    level: 'breaking',
    sentence:
      '`GET /planets/{id}` is called `readPlanet` instead of `getPlanet`: code that is made from the contract no longer compiles.',
    oasdiff: 'info',
    reason: 'Code that is made from the contract calls the operation by this name.',
  },
  {
    what: 'a query parameter goes',
    from: / {8}- \{ name: kind.*\n/,
    to: '',
    level: 'breaking',
    sentence:
      '`GET /planets` no longer takes the query parameter `kind`: clients that send it may be refused or get another answer.',
    oasdiff: 'warning',
    reason: 'A server that holds to its contract, as this kit does, refuses unknown parameters.',
  },
  {
    what: 'a required parameter comes',
    from: '        - { name: kind',
    to: '        - { name: galaxy, in: query, required: true, schema: { type: string } }\n        - { name: kind',
    level: 'breaking',
    sentence:
      '`GET /planets` needs the new query parameter `galaxy`: requests without it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a parameter becomes required',
    from: '{ name: kind, in: query, schema',
    to: '{ name: kind, in: query, required: true, schema',
    level: 'breaking',
    sentence:
      'The query parameter `kind` of `GET /planets` is now required: requests without it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a parameter changes its type',
    from: '{ name: id, in: path, required: true, schema: { type: integer }',
    to: '{ name: id, in: path, required: true, schema: { type: boolean }',
    level: 'breaking',
    sentence:
      'The path parameter `id` of `GET /planets/{id}` is now true or false in requests (before: whole number). Requests that do not keep to it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a parameter takes any text',
    from: '{ name: id, in: path, required: true, schema: { type: integer }',
    to: '{ name: id, in: path, required: true, schema: { type: string }',
    level: 'safe',
    sentence:
      'The path parameter `id` of `GET /planets/{id}` is now text in requests (before: whole number).',
    oasdiff: 'info',
  },
  {
    what: 'a parameter loses a value',
    from: 'in: query, schema: { type: string, enum: [rock, gas, ice] }',
    to: 'in: query, schema: { type: string, enum: [rock, gas] }',
    level: 'breaking',
    sentence:
      'The query parameter `kind` of `GET /planets` may no longer be `ice` in requests. Requests that do not keep to it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a maximum is lowered',
    from: 'maximum: 100',
    to: 'maximum: 50',
    level: 'breaking',
    sentence:
      'The query parameter `limit` of `GET /planets` is at most 50 in requests from now on (before: at most 100). Requests that do not keep to it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a list takes fewer items',
    from: 'maxItems: 5',
    to: 'maxItems: 3',
    level: 'breaking',
    sentence:
      'The query parameter `tags` of `GET /planets` has at most 3 items in requests from now on (before: at most 5 items). Requests that do not keep to it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a parameter is written in another way',
    from: 'style: form, explode: true',
    to: 'style: form, explode: false',
    level: 'breaking',
    sentence:
      'The query parameter `tags` of `GET /planets` is written in another way in addresses and headers (`explode` is false, was true): requests written in the old way are refused.',
    oasdiff: 'nothing',
    reason:
      'oasdiff does not compare `style` and `explode`; a server reads the old form otherwise.',
  },
  {
    what: 'a default changes',
    from: 'default: 20',
    to: 'default: 10',
    level: 'decision',
    sentence:
      'A request without the query parameter `limit` of `GET /planets` now means `10` (before: `20`).',
    oasdiff: 'info',
    reason: 'What clients leave out means something else from now on.',
  },
  {
    what: 'a body becomes required',
    from: 'required: false',
    to: 'required: true',
    level: 'breaking',
    sentence: 'The body of `POST /planets` is now required: requests without it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a body loses a media type',
    from: / {10}application\/xml:\n.*\n/,
    to: '',
    level: 'breaking',
    sentence:
      'The body of `POST /planets` is no longer taken as `application/xml`: requests in it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a required input comes',
    from: /required: \[name\]\n {6}additionalProperties: false\n {6}properties:\n/,
    to: 'required: [name, age]\n      additionalProperties: false\n      properties:\n        age: { type: integer }\n',
    level: 'breaking',
    sentence: '`age` of `PlanetInput` is new and required: requests without it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'an input goes',
    from: /(PlanetInput:[\s\S]*) {8}note: .*\n/,
    to: '$1',
    level: 'breaking',
    sentence: '`note` of `PlanetInput` is gone: requests with it are refused.',
    oasdiff: 'warning',
    reason: 'The object is closed: what has the member is refused.',
  },
  {
    what: 'an input may no longer be null',
    from: 'nullable: true, minimum: 0',
    to: 'minimum: 0',
    level: 'breaking',
    sentence:
      '`mass` of `PlanetInput` may no longer be null in requests. Requests that do not keep to it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'an input has to have a form',
    from: "maxLength: 100, pattern: '^[a-z]+$'",
    to: "maxLength: 100, pattern: '^[a-z]{2,}$$'",
    level: 'breaking',
    sentence:
      '`name` of `PlanetInput` has the form `^[a-z]{2,}$` in requests from now on (before: the form `^[a-z]+$`). Requests that do not keep to it are refused.',
    oasdiff: 'warning',
    reason: 'The new form admits less: texts that were taken are refused.',
  },
  {
    what: 'an input has a format',
    from: /(PlanetInput:[\s\S]*note: \{ type: string)/,
    to: '$1, format: uri',
    level: 'breaking',
    sentence:
      '`note` of `PlanetInput` has the format `uri` in requests from now on (before: no such limit). Requests that do not keep to it are refused.',
    oasdiff: 'error',
  },
  {
    what: 'a success status goes',
    from: "'201':",
    to: "'202':",
    level: 'breaking',
    sentence: '`POST /planets` no longer answers 201: clients that wait for it fail.',
    oasdiff: 'error',
  },
  {
    what: 'a refusal goes',
    from: / {8}'409': .*\n/,
    to: '',
    level: 'breaking',
    sentence: '`POST /planets` no longer answers 409: clients that handle it get another answer.',
    oasdiff: 'info',
    reason:
      'Clients have code for the refusals of the contract, and the SDKs an error class for each.',
  },
  {
    what: 'an answer loses a media type',
    from: / {12}text\/csv: .*\n/,
    to: '',
    level: 'breaking',
    sentence:
      'The answer 200 of `GET /planets` is no longer given as `text/csv`: clients that read it fail.',
    oasdiff: 'error',
  },
  {
    what: 'a header goes',
    from: / {10}headers:\n.*\n/,
    to: '',
    level: 'breaking',
    sentence:
      'The answer 200 of `GET /planets` no longer has the header `X-Total`: clients that read it find nothing.',
    oasdiff: 'error',
  },
  {
    what: 'a member of an answer goes',
    from: / {8}mass: \{ type: number \}\n/,
    to: '',
    level: 'breaking',
    sentence: '`mass` of `Planet` is gone: clients that read it find nothing.',
    oasdiff: 'error',
  },
  {
    what: 'a member of an answer becomes optional',
    from: 'required: [id, name, mass]',
    to: 'required: [id, name]',
    level: 'breaking',
    sentence: '`mass` of `Planet` is now optional: clients that rely on it may find nothing.',
    oasdiff: 'error',
  },
  {
    what: 'a member of an answer changes its type',
    from: 'days: { type: integer }',
    to: 'days: { type: string }',
    level: 'breaking',
    sentence:
      '`days` of `Orbit` is now text in answers (before: whole number). A client that relies on the old answers may fail.',
    oasdiff: 'error',
  },
  {
    what: 'a member of an answer may be null',
    from: 'mass: { type: number }\n',
    to: 'mass: { type: number, nullable: true }\n',
    level: 'breaking',
    sentence:
      '`mass` of `Planet` may now be null in answers. A client that relies on the old answers may fail.',
    oasdiff: 'error',
  },
  {
    what: 'an answer has a new value',
    from: /(Planet:[\s\S]*?enum: \[rock, gas, ice)/,
    to: '$1, ocean',
    level: 'breaking',
    sentence:
      '`kind` of `Planet` may now also be `ocean` in answers. A client that relies on the old answers may fail.',
    oasdiff: 'error',
  },
  {
    what: 'more is asked of the caller',
    from: 'oauth: [write]',
    to: 'oauth: [write, admin]',
    level: 'breaking',
    sentence:
      '`POST /planets` no longer admits `oauth(write)`; it now admits `oauth(admin write)`. Clients with the old credentials are refused.',
    oasdiff: 'error',
  },
  {
    what: 'an optional parameter comes',
    from: '        - { name: kind',
    to: '        - { name: sort, in: query, schema: { type: string } }\n        - { name: kind',
    level: 'safe',
    sentence: '`GET /planets` takes the new query parameter `sort`.',
    oasdiff: 'info',
  },
  {
    what: 'an operation comes',
    from: '  /planets/{id}:\n',
    to: '  /stars:\n    get:\n      operationId: listStars\n      summary: List the stars\n      tags: [stars]\n      responses: { "200": { description: The stars. } }\n  /planets/{id}:\n',
    level: 'safe',
    sentence: '`GET /stars` (List the stars) is new.',
    oasdiff: 'info',
  },
  {
    what: 'an operation is deprecated',
    from: '      operationId: getPlanet',
    to: '      deprecated: true\n      operationId: getPlanet',
    level: 'safe',
    sentence:
      '`GET /planets/{id}` is deprecated: it still works, and clients should stop using it.',
    oasdiff: 'info',
  },
  {
    what: 'a member of an answer comes',
    from: 'days: { type: integer }',
    to: 'days: { type: integer }\n        km: { type: integer }',
    level: 'safe',
    sentence: '`km` of `Orbit` is new in answers (whole number).',
    oasdiff: 'info',
  },
  {
    what: 'a description is reworded',
    from: 'summary: Get a planet',
    to: 'summary: Read a planet',
    level: 'safe',
    sentence: 'The summary of `GET /planets/{id}` is reworded.',
    oasdiff: 'nothing',
  },
];

export const plantedInSdl: readonly Planted[] = [
  {
    what: 'an operation goes',
    from: '  planet(id: ID!): Planet\n',
    to: '',
    level: 'breaking',
    sentence: 'The query `planet` is gone: operations that ask for it are refused.',
  },
  {
    what: 'a mutation goes',
    from: '  removePlanet(id: ID!): Boolean!\n',
    to: '',
    level: 'breaking',
    sentence: 'The mutation `removePlanet` is gone: operations that ask for it are refused.',
  },
  {
    what: 'a field goes',
    from: '  mass: Float\n  kind: Kind!',
    to: '  kind: Kind!',
    level: 'breaking',
    sentence: '`mass` of `Planet` is gone: operations that ask for it are refused.',
  },
  {
    what: 'a deprecated field goes',
    from: '  note: String @deprecated(reason: "Use name.")\n',
    to: '',
    level: 'breaking',
    sentence: '`note` of `Planet` is gone: operations that ask for it are refused.',
  },
  {
    what: 'a field may be null',
    from: 'kind: Kind!\n',
    to: 'kind: Kind\n',
    level: 'breaking',
    sentence:
      '`kind` of `Planet` may now be null (`Kind`, was `Kind!`): a client that relies on a value may fail.',
  },
  {
    what: 'a field is never null',
    from: 'type Planet implements Named {\n  id: ID!\n  name: String!\n  mass: Float\n',
    to: 'type Planet implements Named {\n  id: ID!\n  name: String!\n  mass: Float!\n',
    level: 'safe',
    sentence: '`mass` of `Planet` is now never null (`Float!`, was `Float`).',
  },
  {
    what: 'a field changes its type',
    from: 'mass: Float\n  kind',
    to: 'mass: String\n  kind',
    level: 'breaking',
    sentence:
      '`mass` of `Planet` is now `String` (before: `Float`): clients that read it as before fail.',
  },
  {
    what: 'items of a list may be null',
    from: 'moons(first: Int): [Moon!]!',
    to: 'moons(first: Int): [Moon]!',
    level: 'breaking',
    sentence:
      '`moons` of `Planet` is now `[Moon]!` (before: `[Moon!]!`): clients that read it as before fail.',
  },
  {
    what: 'an argument goes',
    from: 'planets(limit: Int = 20, kind: Kind, ',
    to: 'planets(limit: Int = 20, ',
    level: 'breaking',
    sentence:
      '`Query.planets` no longer takes the argument `kind`: operations that give it are refused.',
  },
  {
    what: 'a required argument comes',
    from: 'search(text: String!)',
    to: 'search(text: String!, in: String!)',
    level: 'breaking',
    sentence:
      '`Query.search` needs the new argument `in` (`String!`): operations without it are refused.',
  },
  {
    what: 'an argument becomes required',
    from: 'kind: Kind, where',
    to: 'kind: Kind!, where',
    level: 'breaking',
    sentence:
      'The argument `kind` of `Query.planets` is now required (`Kind!`): operations without it are refused.',
  },
  {
    what: 'an argument changes its type',
    from: 'limit: Int = 20',
    to: 'limit: String = "20"',
    level: 'breaking',
    sentence:
      'The argument `limit` of `Query.planets` is now `String` (before: `Int`): operations that give it as before are refused.',
  },
  {
    what: 'a default of an argument changes',
    from: 'limit: Int = 20',
    to: 'limit: Int = 10',
    level: 'decision',
    sentence:
      'Without the argument `limit` of `Query.planets`, an operation now means `10` (before: `20`).',
  },
  {
    what: 'a required input field comes',
    from: 'input PlanetInput {\n',
    to: 'input PlanetInput {\n  age: Int!\n',
    level: 'breaking',
    sentence:
      'The input `PlanetInput` needs the new field `age` (`Int!`): operations without it are refused.',
  },
  {
    what: 'an input field goes',
    from: '  name: String!\n  mass: Float\n}\n\ndirective',
    to: '  name: String!\n}\n\ndirective',
    level: 'breaking',
    sentence: '`mass` of the input `PlanetInput` is gone: operations that give it are refused.',
  },
  {
    what: 'an input field becomes required',
    from: '  name: String!\n  mass: Float\n}\n\ndirective',
    to: '  name: String!\n  mass: Float!\n}\n\ndirective',
    level: 'breaking',
    sentence:
      '`mass` of the input `PlanetInput` is now required (`Float!`): operations without it are refused.',
  },
  {
    what: 'a default of an input field changes',
    from: 'order: Order = NAME',
    to: 'order: Order = MASS',
    level: 'decision',
    sentence: 'Without `order`, the input `PlanetFilter` now means `"MASS"` (before: `"NAME"`).',
  },
  {
    what: 'an enum loses a value',
    from: '  ICE\n',
    to: '',
    level: 'breaking',
    sentence: 'The value `ICE` of `Kind` is gone: operations that give it are refused.',
  },
  {
    what: 'an enum that is answered has a new value',
    from: '  ICE\n',
    to: '  ICE\n  OCEAN\n',
    level: 'decision',
    sentence:
      '`Kind` may now also be `OCEAN`: a client that knows only the values before may fail.',
  },
  {
    what: 'an enum that is only sent has a new value',
    from: '  MASS\n',
    to: '  MASS\n  KIND\n',
    level: 'safe',
    sentence: '`Order`, which clients send, may now also be `KIND`.',
    reason: 'No client is given a value of it.',
  },
  {
    what: 'a union loses a type',
    from: 'union Hit = Planet | Moon',
    to: 'union Hit = Planet',
    level: 'breaking',
    sentence: '`Hit` is no longer a `Moon`: operations that ask for that type are refused.',
  },
  {
    what: 'a union has a new type',
    from: 'union Hit = Planet | Moon',
    to: 'union Hit = Planet | Moon | Star',
    level: 'decision',
    sentence:
      '`Hit` may now also be a `Star`: a client that knows only the types before gets none of its fields.',
  },
  {
    what: 'a type no longer implements an interface',
    from: 'type Moon implements Named',
    to: 'type Moon',
    level: 'breaking',
    sentence: '`Moon` is no longer a `Named`: operations that read it as one are refused.',
  },
  {
    what: 'a type implements another interface',
    from: 'type Star {',
    to: 'interface Thing {\n  id: ID!\n}\n\ntype Star implements Thing {',
    level: 'decision',
    sentence: '`Star` is now a `Thing` too: clients that ask for `Thing` may be given it.',
  },
  {
    what: 'a type goes',
    from: /type Star \{[\s\S]*?\}\n/,
    to: '',
    level: 'breaking',
    sentence: 'The type `Star` is gone: operations that name it are refused.',
  },
  {
    what: 'a type is another kind',
    from: 'type Star {\n  id: ID!\n  class: String\n}',
    to: 'enum Star {\n  DWARF\n}',
    level: 'breaking',
    sentence: '`Star` is another kind of type: operations that use it as before are refused.',
  },
  {
    what: 'subscriptions go',
    from: /type Subscription \{[\s\S]*?\}\n/,
    to: '',
    level: 'breaking',
    sentence:
      'Subscriptions start from another type, or there are none any more: those of today are refused.',
  },
  {
    what: 'a directive goes',
    from: 'directive @only(if: Boolean) on FIELD | QUERY\n',
    to: '',
    level: 'breaking',
    sentence: 'The directive `@only` is gone: operations that use it are refused.',
  },
  {
    what: 'a directive has a place fewer',
    from: 'on FIELD | QUERY',
    to: 'on FIELD',
    level: 'breaking',
    sentence:
      'The directive `@only` may no longer stand on `QUERY`: operations that have it there are refused.',
  },
  {
    what: 'an optional argument comes',
    from: 'search(text: String!)',
    to: 'search(text: String!, limit: Int)',
    level: 'safe',
    sentence: '`Query.search` takes the new argument `limit` (`Int`).',
    reason: 'It changes nothing for those who do not give it, as an optional parameter of REST.',
  },
  {
    what: 'a field comes',
    from: '  class: String\n',
    to: '  class: String\n  age: Float\n',
    level: 'safe',
    sentence: '`age` of `Star` is new (`Float`).',
  },
  {
    what: 'an operation comes',
    from: '  planet(id: ID!): Planet\n',
    to: '  planet(id: ID!): Planet\n  star(id: ID!): Star\n',
    level: 'safe',
    sentence: 'The query `star` is new (`Star`).',
  },
  {
    what: 'a field is deprecated',
    from: '  class: String\n',
    to: '  class: String @deprecated(reason: "Use id.")\n',
    level: 'safe',
    sentence:
      '`class` of `Star` is deprecated: it still works, and clients should stop using it. Use id.',
  },
  {
    what: 'a description comes',
    from: 'type Star {',
    to: '"A star."\ntype Star {',
    level: 'safe',
    sentence: 'The words on `Star` changed.',
  },
];
