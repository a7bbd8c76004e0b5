const text = { type: 'string' };
const json = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema, ...more } },
});
const part = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** A contract with everything that an operation can have, inline and shared. */
export function skyDocument(): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Sky', version: '1.0.0', description: 'The sky.' },
    servers: [{ url: 'https://sky.test' }],
    security: [{ key: [] }],
    paths: {
      '/planets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: 'getPlanet',
          summary: 'Get a planet.',
          tags: ['planets'],
          parameters: [
            { name: 'fields', in: 'query', schema: text },
            { name: 'X-Trace', in: 'header', schema: text },
            part('parameters', 'Limit'),
            { name: 'where', in: 'query', ...json(text) },
            { name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'integer' } } },
          ],
          responses: {
            200: {
              description: 'The planet.',
              headers: {
                ETag: { required: true, schema: text },
                Link: { schema: text },
                Total: part('headers', 'Total'),
              },
              ...json({ type: 'object', properties: { name: text } }, { example: { name: 'Io' } }),
            },
            404: part('responses', 'Fault'),
          },
        },
        put: {
          operationId: 'putPlanet',
          tags: ['planets'],
          security: [{ oauth: ['write'] }],
          requestBody: { required: true, ...json({ type: 'object', properties: { name: text } }) },
          responses: { 204: { description: 'It is kept.' }, default: part('responses', 'Fault') },
        },
        post: {
          operationId: 'postPlanet',
          tags: ['planets'],
          security: [{}],
          requestBody: part('requestBodies', 'Planet'),
          responses: { 201: { description: 'It is there.' } },
        },
        delete: { responses: { 204: { description: 'It is gone.' } } },
      },
      '/moons': {
        get: { operationId: 'listMoons', ...responses, parameters: [part('parameters', 'Limit')] },
      },
    },
    webhooks: { landed: { post: { summary: 'It landed.', responses: { 200: {} } } } },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'A key.' },
        oauth: { type: 'oauth2', flows: {} },
      },
      parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
      headers: { Total: { schema: { type: 'integer' } } },
      responses: { Fault: { description: 'A fault.', ...json(part('schemas', 'Fault')) } },
      requestBodies: { Planet: json(text) },
      schemas: { Fault: { type: 'object', properties: { code: text } } },
    },
  };
}

const responses = { responses: { 200: { description: 'All.' } } };

/** A place by its names with spaces between, and what is put there; undefined takes it out, `-` adds to a list. */
type Put = readonly [place: string, value: unknown];
type Edit = readonly [what: string, ...puts: Put[]];

/** The contract after an edit. */
export function edited([, ...puts]: Edit): object {
  const document = skyDocument();
  for (const [place, value] of puts) {
    const names = place.split(' ');
    const last = names.pop() ?? '';
    const parent = Object(at(document, names));
    if (Array.isArray(parent))
      parent.splice(
        last === '-' ? parent.length : Number(last),
        last === '-' ? 0 : 1,
        ...(value === undefined ? [] : [value]),
      );
    else if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return document;
}

function at(document: object, names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => Object(value)[name], document);
}

/** What was at a place is at another. */
function moved(from: string, to: string): Put[] {
  return [
    [to, at(skyDocument(), from.split(' '))],
    [from, undefined],
  ];
}

const planet = 'paths /planets/{id}';
const [get, put, post] = [`${planet} get`, `${planet} put`, `${planet} post`];
const shared = 'components';
const gone = undefined;

const identity: readonly Edit[] = [
  ['no operation', [put, gone]],
  ['no operation with a summary', [get, gone]],
  ['another address', ...moved('paths /moons', 'paths /satellites')],
  ['another method without a name', ...moved(`${planet} delete`, `${planet} patch`)],
  [
    'another name of a path parameter',
    ...moved(planet, 'paths /planets/{planetId}'),
    ['paths /planets/{planetId} parameters 0 name', 'planetId'],
  ],
  [
    'one operation in place of another',
    ['paths /moons', gone],
    ['paths /stars', { get: { operationId: 'listStars', ...responses } }],
  ],
  ['another operationId', [`${get} operationId`, 'readPlanet']],
  ['no operationId', [`${get} operationId`, gone]],
  ['another summary', [`${get} summary`, 'Read a planet.']],
  ['deprecated', [`${get} deprecated`, true]],
  ['another title', ['info title', 'Heaven']],
  ['no description', ['info description', gone]],
  ['another server', ['servers 0 url', 'https://heaven.test']],
  ['no servers', ['servers', gone]],
  ['no title, and no servers', ['info title', gone], ['servers', gone]],
];

const schemes = `${shared} securitySchemes`;
const security: readonly Edit[] = [
  ['no security of the whole', ['security', gone]],
  ['two keys', ['security', [{ key: [], oauth: ['b', 'a'] }]]],
  ['another key too', ['security', [{ key: [] }, { oauth: [] }]]],
  ['open to all', [`${get} security`, []]],
  ['open too', [`${get} security`, [{}, { key: [] }]]],
  ['another scope', [`${put} security`, [{ oauth: ['admin'] }]]],
  ['more scopes', [`${put} security`, [{ oauth: ['write', 'a'] }]]],
  ['no scope', [`${put} security`, [{ oauth: [] }]]],
  ['no security of its own', [`${put} security`, gone]],
  ['the same twice', [`${post} security`, [{}, {}]]],
  ['no scheme', [`${schemes} oauth`, gone]],
  ['another scheme', [`${schemes} key name`, 'Key']],
  ['words on a scheme', [`${schemes} key description`, gone]],
  ['a scheme with a sign', ...moved(`${schemes} key`, `${schemes} a/b`)],
];

const first = `${get} parameters 0`;
const limit = { name: 'limit', in: 'query', schema: text };
const otherLimit: Put = [`${shared} parameters Limit schema`, { type: 'integer', maximum: 9 }];
const parameters: readonly Edit[] = [
  ['no query parameter', [first, gone]],
  ['no header parameter', [`${get} parameters 1`, gone]],
  ['no shared parameter', [`${get} parameters 2`, gone]],
  ['a required one', [`${get} parameters -`, { name: 'a', in: 'query', required: true }]],
  ['required', [`${first} required`, true]],
  ['words', [`${first} description`, 'Some.']],
  ['a style', [`${first} style`, 'pipeDelimited']],
  ['explode', [`${first} explode`, false]],
  ['allowReserved', [`${first} allowReserved`, true]],
  ['allowEmptyValue', [`${first} allowEmptyValue`, true]],
  ['another type', [`${get} parameters 1 schema`, { type: 'integer' }]],
  ['a list', [`${first} schema`, { type: 'array' }]],
  ['a format in place of a number', [`${planet} parameters 0 schema`, { ...text, format: 'uuid' }]],
  ['text in place of a number', [`${planet} parameters 0 schema`, text]],
  ['a type below content', [`${get} parameters 3 content`, json({ maxLength: 3 }).content]],
  ['a type in the shared part', [`${shared} parameters Limit schema`, text]],
  ['a type of a parameter of the path', [`${planet} parameters 0 schema`, { type: 'number' }]],
  ['inline in place of shared', [`${get} parameters 2`, limit]],
  ['inline here, and another type elsewhere', [`${get} parameters 2`, limit], otherLimit],
  ['inline elsewhere, and another type here', ['paths /moons get parameters 0', limit], otherLimit],
  ['items of another type', [`${get} parameters 4 schema items`, text]],
];

const media = 'content application/json';
const numbered = { type: 'object', properties: { name: { type: 'integer' } } };
const bodies: readonly Edit[] = [
  ['no body', [`${put} requestBody`, gone]],
  ['no optional body', [`${post} requestBody`, gone]],
  ['an optional body', [`${put} requestBody required`, gone]],
  ['a body with words', [`${put} requestBody description`, 'It.']],
  ['XML too', [`${put} requestBody content application/xml`, {}]],
  [
    'another media type',
    ...moved(`${put} requestBody ${media}`, `${put} requestBody content text/csv`),
  ],
  ['an example', [`${put} requestBody ${media} example`, {}]],
  ['another schema', [`${put} requestBody ${media} schema`, text]],
  ['a member', [`${put} requestBody ${media} schema`, numbered]],
  [
    'the shared body',
    [`${shared} requestBodies Planet required`, true],
    [`${shared} requestBodies Planet description`, 'A planet.'],
  ],
  ['a schema of the shared body', [`${shared} requestBodies Planet ${media} schema`, numbered]],
  [
    'media of the shared body',
    [`${shared} requestBodies Planet content`, { 'text/csv': { schema: text } }],
  ],
];

const ok = `${get} responses 200`;
const answers: readonly Edit[] = [
  ['no success', [`${put} responses 204`, gone]],
  ['no refusal', [`${get} responses 404`, gone]],
  ['no default', [`${put} responses default`, gone]],
  ['an answer without words', [`${get} responses 500`, {}]],
  ['words on an answer', [`${ok} description`, 'It.']],
  ['no required header', [`${ok} headers ETag`, gone]],
  ['no header', [`${ok} headers Link`, gone]],
  ['no shared header', [`${ok} headers Total`, gone]],
  ['no headers', [`${ok} headers`, gone]],
  ['a required header', [`${ok} headers Link required`, true]],
  ['words on a header', [`${ok} headers Link description`, 'It.']],
  ['another header', [`${ok} headers Link schema`, { type: 'integer' }]],
  ['a header with a sign', [`${ok} headers a/b`, { schema: text }]],
  [
    'the shared header',
    [`${shared} headers Total required`, true],
    [`${shared} headers Total schema`, text],
  ],
  ['CSV too', [`${ok} content text/csv`, {}]],
  ['another media type', ...moved(`${ok} ${media}`, `${ok} content text/csv`)],
  ['another example', [`${ok} ${media} example`, 1]],
  ['examples', [`${ok} ${media} examples`, { one: { value: 1 } }]],
  ['a member', [`${ok} ${media} schema`, numbered]],
  [
    'the shared answer',
    [`${shared} responses Fault description`, 'It.'],
    [`${shared} responses Fault headers`, { A: { schema: text } }],
  ],
  ['media of the shared answer', [`${shared} responses Fault content`, { 'text/csv': {} }]],
  [
    'no shared schema',
    [`${shared} schemas Fault`, gone],
    [`${shared} responses Fault content`, gone],
  ],
  ['no webhook', ['webhooks landed', gone]],
  ['another webhook', ['webhooks landed post responses 400', {}]],
  ['words on a webhook', ['webhooks landed post summary', 'Landed.']],
];

export const operationChanges: Readonly<Record<string, readonly Edit[]>> = {
  ...{ identity, security, parameters, bodies, answers },
};
