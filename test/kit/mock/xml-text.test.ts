// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { object, ref, text, whole } from '../../support/schemas.ts';

const list = (items: object, others: object = {}) => ({ type: 'array', items, ...others });
const named = (name: string) => ({ xml: { name } });
const prefixed = (xml: object) => ({ xml: { prefix: 'p', ...xml } });
const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

const components = {
  pet: object({ name: text }),
  cat: object({ name: text }, named('Cat')),
  names: list(text),
  odd: { type: 'string', example: 'a' },
};

/** Schemas, and the XML that is made of each. */
const written: Readonly<Record<string, readonly [schema: unknown, xml: string]>> = {
  text: [text, '<root>string</root>'],
  number: [{ ...whole, minimum: 5 }, '<root>5</root>'],
  zero: [whole, '<root>0</root>'],
  nothing: [{ type: 'null' }, '<root></root>'],
  anything: [true, '<root></root>'],
  'one member': [object({ a: whole }), '<root><a>0</a></root>'],
  'two members': [object({ a: whole, b: text }), '<root><a>0</a><b>string</b></root>'],
  'no members': [object({}), '<root></root>'],
  'a map': [
    { type: 'object', additionalProperties: object({ a: { ...whole, ...named('b') } }) },
    '<root><property1><b>0</b></property1><property2><b>0</b></property2></root>',
  ],
  'a root with a name': [object({ a: whole }, named('top')), '<top><a>0</a></top>'],
  'a component': [ref('pet'), '<pet><name>string</name></pet>'],
  'a component with a name': [ref('cat'), '<Cat><name>string</name></Cat>'],
  'components as members': [
    object({ a: ref('pet'), b: ref('cat') }),
    '<root><a><name>string</name></a><Cat><name>string</name></Cat></root>',
  ],
  'a member with a name': [object({ a: { ...whole, ...named('b') } }), '<root><b>0</b></root>'],
  'a list': [list(text, { minItems: 2 }), '<root><root>string</root><root>string</root></root>'],
  'a list of components': [list(ref('pet')), '<root><pet><name>string</name></pet></root>'],
  'a list that is a component': [ref('names'), '<names><names>string</names></names>'],
  'a list with names': [
    list({ ...text, ...named('item') }, named('items')),
    '<items><item>string</item></items>',
  ],
  'a list of lists': [list(list(text)), '<root><root><root>string</root></root></root>'],
  'a member that is a list': [
    object({ a: list(whole, { minItems: 2 }) }),
    '<root><a>0</a><a>0</a></root>',
  ],
  'a member that is a list with names': [
    object({ a: list({ ...whole, ...named('b') }, named('c')) }),
    '<root><b>0</b></root>',
  ],
  'a member that is a list of components': [
    object({ a: list(ref('pet')) }),
    '<root><a><name>string</name></a></root>',
  ],
  'a member that is a wrapped list': [
    object({ a: list(whole, { xml: { wrapped: true } }) }),
    '<root><a><a>0</a></a></root>',
  ],
  'a member that is a list of OpenAPI 3.2': [
    object({ a: list(whole, { xml: { nodeType: 'element' } }) }),
    '<root><a><a>0</a></a></root>',
  ],
  'a member that is a wrapped list with names': [
    object({ a: list({ ...whole, ...named('b') }, { xml: { wrapped: true, name: 'c' } }) }),
    '<root><c><b>0</b></c></root>',
  ],
  attributes: [
    object({
      id: { ...whole, xml: { attribute: true } },
      b: { ...text, example: 'a "b"', xml: { attribute: true, name: 'c' } },
      d: { ...list(whole), xml: { nodeType: 'attribute' } },
      e: text,
    }),
    '<root id="0" c="a &quot;b&quot;" d="[0]"><e>string</e></root>',
  ],
  'content beside attributes': [
    object({
      a: { ...text, xml: { nodeType: 'text' } },
      b: { ...text, example: ']]>', xml: { nodeType: 'cdata' } },
      c: { ...whole, xml: { attribute: true } },
    }),
    '<root c="0">string]]&gt;</root>',
  ],
  namespaces: [
    object(
      {
        a: { ...whole, xml: { prefix: 'p' } },
        b: { ...whole, xml: { namespace: 'urn:b' } },
        c: { ...whole, xml: { attribute: true, prefix: 'q', namespace: 'urn:<q>' } },
      },
      { xml: { prefix: 'p', name: 't', namespace: 'urn:p' } },
    ),
    '<p:t xmlns:p="urn:p" xmlns:q="urn:&lt;q&gt;" q:c="0"><p:a>0</p:a><b xmlns="urn:b">0</b></p:t>',
  ],
  'a prefix that stands for no namespace': [
    object(
      {
        a: { ...whole, xml: { prefix: 'p' } },
        b: { ...whole, xml: { prefix: 'p', attribute: true } },
        c: list({ ...whole, xml: { prefix: 'q', namespace: 'urn:q' } }),
        d: { ...whole, xml: { prefix: 'q', namespace: '' } },
      },
      { xml: { prefix: 'p' } },
    ),
    '<root b="0"><a>0</a><q:c xmlns:q="urn:q">0</q:c><d>0</d></root>',
  ],
  'a prefix that is declared further out': [
    object(
      {
        a: object({ b: { ...whole, xml: { prefix: 'p' } }, c: list(text, prefixed({})) }),
        d: { ...whole, ...prefixed({ namespace: 'urn:p' }) },
        e: { ...whole, ...prefixed({ namespace: 'urn:e' }) },
        f: { ...whole, ...prefixed({ attribute: true }) },
      },
      prefixed({ namespace: 'urn:p' }),
    ),
    '<p:root xmlns:p="urn:p" p:f="0"><a><p:b>0</p:b><c>string</c></a><p:d>0</p:d><p:e xmlns:p="urn:e">0</p:e></p:root>',
  ],
  'a prefix of an attribute': [
    object({
      a: { ...whole, ...prefixed({ attribute: true, namespace: 'urn:p' }) },
      b: { ...whole, ...prefixed({ attribute: true }) },
      c: list({ ...whole, ...prefixed({}) }),
    }),
    '<root xmlns:p="urn:p" p:a="0" p:b="0"><p:c>0</p:c></root>',
  ],
  'a namespace within the same': [
    object({ a: { ...whole, xml: { namespace: 'urn:a' } } }, { xml: { namespace: 'urn:a' } }),
    '<root xmlns="urn:a"><a>0</a></root>',
  ],
  'a namespace of a list': [
    list(object({ a: whole }), { xml: { namespace: 'urn:a' } }),
    '<root xmlns="urn:a"><root><a>0</a></root></root>',
  ],
  'an attribute with a namespace and no prefix': [
    object({ a: { ...whole, xml: { attribute: true, namespace: 'urn:a' } }, b: whole }),
    '<root a="0"><b>0</b></root>',
  ],
  'attributes of one name in two namespaces': [
    object({
      a: { ...whole, ...prefixed({ attribute: true, namespace: 'urn:p' }) },
      b: { ...whole, xml: { attribute: true, name: 'a' } },
      c: { ...whole, xml: { attribute: true, name: 'a', prefix: 'q', namespace: 'urn:q' } },
    }),
    '<root xmlns:p="urn:p" xmlns:q="urn:q" p:a="0" a="0" q:a="0"></root>',
  ],
  'the prefix that XML knows': [
    object(
      {
        lang: { ...text, xml: { attribute: true, prefix: 'xml' } },
        space: { ...text, xml: { attribute: true, prefix: 'xml', namespace: XML } },
      },
      { xml: { name: 'xmlns' } },
    ),
    '<xmlns xml:lang="string" xml:space="string"></xmlns>',
  ],
  'members of parts': [
    { allOf: [object({ a: { ...whole, ...named('b') } })] },
    '<root><b>0</b></root>',
  ],
  'members of one': [
    { oneOf: [object({ a: { ...whole, ...named('b') } })] },
    '<root><b>0</b></root>',
  ],
  'members of any': [
    { anyOf: [object({ a: { ...whole, ...named('b') } })] },
    '<root><b>0</b></root>',
  ],
  'what only requests have': [
    object({ a: { ...whole, writeOnly: true }, b: whole }),
    '<root><b>0</b></root>',
  ],
  'values that XML escapes': [
    { ...text, example: `<a href="x">&'\t\n` },
    `<root>&lt;a href=&quot;x&quot;&gt;&amp;'\t\n</root>`,
  ],
  'blanks that parsers change': [
    object({
      a: { ...text, example: 'a\r\nb\tc' },
      b: { ...text, example: '\r\n\t b', xml: { attribute: true } },
    }),
    '<root b="&#13;&#10;&#9; b"><a>a&#13;\nb\tc</a></root>',
  ],
  'characters that XML has': [
    { ...text, example: '\x20\ue000\ufffd\ud7ff😀\u{10ffff}' },
    '<root>\x20\ue000\ufffd\ud7ff😀\u{10ffff}</root>',
  ],
  'values that the schema admits': [
    object({ a: { ...whole, minimum: 7, example: 1 } }, { required: ['a'] }),
    '<root><a>7</a></root>',
  ],
};
const goodNames = [
  ...['a', 'Z', '_', 'a-b.c', 'a1', 'é', 'Ω', '你', '𐀀', 'a·b', 'a\u0300', 'a\u203f'],
];
const badNames = [
  ...['', 'my name', '1a', '-a', '.a', 'a b', '?a', '!--', 'a/b', 'a>', 'a<b', '×', 'ª', '\u0300a'],
  ...['a"', "a'", 'a=b', 'a&', '$a', '#text', 'a\u2190', ':', ':a', 'a:b', 'a:'],
];
const attribute = (xml: object) => ({ ...whole, xml: { attribute: true, ...xml } });
/** Schemas, and what XML does not admit of them: a name, or more. */
const refused: readonly (readonly [schema: object, fault: string])[] = [
  ...[
    ...badNames.map((name) => [object({ [name]: whole }), name] as const),
    [object({ a: { ...whole, ...named('b c') } }), 'b c'] as const,
    [object({ a: attribute({ name: 'b c' }) }), 'b c'] as const,
    [object({ 'b c': whole, '?': whole }), 'b c'] as const,
    [object({ a: attribute({ name: 'b:c' }) }), 'b:c'] as const,
    [object({ a: attribute({ name: 'xmlns' }) }), 'xmlns'] as const,
    ...['b c', 'b:c', 'xml', 'xmlns'].map(
      (prefix) => [object({}, { xml: { prefix, namespace: 'urn:b' } }), prefix] as const,
    ),
    [object({ a: attribute({ prefix: 'b:c', namespace: 'urn:b' }) }), 'b:c'] as const,
    [object({}, { xml: { namespace: XML } }), XML] as const,
    [object({}, prefixed({ namespace: XMLNS })), XMLNS] as const,
  ].map(([schema, name]) => [schema, unfit(name)] as const),
  [object({ a: attribute({}), b: attribute({ name: 'a' }) }), 'an element has two attributes "a"'],
  [
    object({
      a: attribute({ prefix: 'p', namespace: 'urn:p' }),
      b: attribute({ prefix: 'q', namespace: 'urn:p', name: 'a' }),
    }),
    'an element has two attributes "q:a"',
  ],
  [
    object({ a: attribute({ prefix: 'p', namespace: 'urn:a' }) }, prefixed({ namespace: 'urn:p' })),
    'an element has two namespaces for the prefix "p"',
  ],
  ...[
    ...['\0', '\x08', '\x0b', '\x0c', '\x0e', '\x1f', '\ud800', '\udfff', '\ufffe', '\uffff'].map(
      (character) => [{ ...text, example: `a${character}b\0` }, character] as const,
    ),
    [object({ a: { ...attribute({}), ...text, example: '\v' } }), '\v'] as const,
    [object({}, { xml: { namespace: 'urn:\x1b' } }), '\x1b'] as const,
  ].map(([schema, character]) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return [schema, `a value has the character U+${code}, which XML does not admit`] as const;
  }),
];
function unfit(name: string) {
  const kinds = 'element, attribute, prefix or namespace';
  return `the contract names an ${kinds} ${JSON.stringify(name)}, which XML does not admit`;
}

describe('a mock of XML', () => {
  let server: Awaited<ReturnType<typeof serveContract>>;
  const schemas = [
    ...Object.values(written).map(([schema]) => schema),
    ...goodNames.map((name) => object({ [name]: whole })),
    ...refused.map(([schema]) => schema),
    list(list(list(whole, { minItems: 1000 }), { minItems: 1000 }), { minItems: 1000 }),
  ];
  const pathOf = (schema: unknown) => {
    const searched = JSON.stringify(schema);
    return `/${schemas.findIndex((each) => JSON.stringify(each) === searched)}`;
  };
  beforeAll(async () => {
    const paths = schemas.map((schema, i) => {
      const content = { 'application/xml': { schema } };
      const get = { operationId: `get${i}`, responses: { 200: { description: 'One.', content } } };
      return [`/${i}`, { get }];
    });
    const example = { '/example': { get: exampleOf({ example: { a: 7 } }) } };
    const named = { '/named': { get: exampleOf({ examples: { one: { value: '<b/>' } } }) } };
    const contract = {
      ...{
        openapi: '3.2.0',
        info: { title: 'XML', version: '1' },
        components: { schemas: components },
      },
      paths: { ...Object.fromEntries(paths), ...example, ...named },
    };
    server = await serveContract(JSON.stringify(contract), {}, { mocks: true });
  });
  afterAll(() => server.stop());

  function exampleOf(media: object) {
    const content = { 'application/xml': { schema: object({ a: whole }), ...media } };
    const [id] = Object.keys(media);
    return { operationId: id, responses: { 200: { description: 'One.', content } } };
  }
  async function get(path: string, prefer = '') {
    const response = await fetch(server.url + path, { headers: prefer ? { prefer } : {} });
    return { status: response.status, text: await response.text() };
  }

  it.each(Object.entries(written))('writes %s', async (_, [schema, xml]) => {
    expect(await get(pathOf(schema))).toEqual({ status: 200, text: xml });
  });

  it.each(goodNames)('has an element of the name %j', async (name) => {
    const { status, text } = await get(pathOf(object({ [name]: whole })));
    expect([status, text]).toEqual([200, `<root><${name}>0</${name}></root>`]);
  });

  it.each(refused)('refuses what XML does not admit: %j', async (schema, fault) => {
    const { status, text } = await get(pathOf(schema));
    expect([status, JSON.parse(text).detail]).toEqual([
      500,
      `The mock cannot write XML for GET ${pathOf(schema)} 200: ${fault}.`,
    ]);
  });

  it('shows examples: a text as it is, and a value as its schema describes it', async () => {
    expect(await get('/example')).toEqual({ status: 200, text: '<root><a>7</a></root>' });
    expect(await get('/named', 'example=one')).toEqual({ status: 200, text: '<b/>' });
  });

  it('is made at random where that is wanted', async () => {
    const made = new Set<string>();
    for (let i = 0; i < 5; i++) made.add((await get('/example', 'dynamic=true')).text);
    expect(made.size).toBeGreaterThan(1);
    for (const each of made) expect(each).toMatch(/^<root><a>\d+<\/a><\/root>$/);
  });

  it('is not made of what would be too much', async () => {
    const { status, text } = await get(`/${schemas.length - 1}`);
    expect(status).toBe(500);
    expect(JSON.parse(text).detail).toMatch(/: the schema demands more than a mock makes\.$/);
  });
});
