/** A schema before and after a change, which is also made the other way round. */
export type SchemaChange = readonly [what: string, before: unknown, after: unknown];

const text = { type: 'string' };
const whole = { type: 'integer' };
const part = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

/** What the schemas below refer to, the same before and after. */
export const sharedSchemas = {
  Text: text,
  Number: { type: 'number' },
  Base: object({ id: whole }, { required: ['id'] }),
  Tree: object({ child: part('Tree') }),
  Bush: object({ child: part('Bush') }),
  Loop: { allOf: [part('Loop'), { properties: { a: text } }] },
  Stamp: { type: 'string', readOnly: true },
  Secret: { type: 'string', writeOnly: true },
};

const limits: readonly SchemaChange[] = [
  ['maxLength', { ...text, maxLength: 2000 }, { ...text, maxLength: 1000 }],
  ['minLength', { ...text, minLength: 1 }, { ...text, minLength: 2 }],
  ['minLength that asks nothing', text, { ...text, minLength: 0 }],
  ['maximum', { ...whole, maximum: 9 }, { ...whole, maximum: 8 }],
  ['minimum', { ...whole, minimum: 1 }, { ...whole, minimum: 2 }],
  ['minimum that is new', whole, { ...whole, minimum: 0 }],
  ['exclusiveMaximum', { ...whole, exclusiveMaximum: 9 }, { ...whole, exclusiveMaximum: 8 }],
  ['exclusiveMinimum', { ...whole, exclusiveMinimum: 1 }, { ...whole, exclusiveMinimum: 2 }],
  ['maxItems', { type: 'array', maxItems: 9 }, { type: 'array', maxItems: 8 }],
  ['minItems', { type: 'array' }, { type: 'array', minItems: 1 }],
  ['minItems that asks nothing', { type: 'array' }, { type: 'array', minItems: 0 }],
  ['maxProperties', object({}, { maxProperties: 9 }), object({}, { maxProperties: 8 })],
  ['minProperties', object({}), object({}, { minProperties: 1 })],
  ['minProperties that asks nothing', object({}), object({}, { minProperties: 0 })],
];

const int32 = { ...whole, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

const forms: readonly SchemaChange[] = [
  ['a pattern', text, { ...text, pattern: '^a$' }],
  ['another pattern', { ...text, pattern: '^a$' }, { ...text, pattern: '^b$' }],
  ['the same pattern', { ...text, pattern: '^a+$' }, { ...text, pattern: '^aa*$' }],
  ['a pattern without an end', { ...text, pattern: '^a+' }, { ...text, pattern: '^aa*' }],
  ['two patterns in one', { ...text, pattern: '^a|b$' }, { ...text, pattern: '^b|a$' }],
  ['a format', text, { ...text, format: 'uri' }],
  ['another format', { ...text, format: 'uuid' }, { ...text, format: 'uri' }],
  ['a wider integer', { ...whole, format: 'int32' }, { ...whole, format: 'int64' }],
  ['another format of an integer', { ...whole, format: 'int32' }, { ...whole, format: 'port' }],
  ['another format of a long one', { ...whole, format: 'int64' }, { ...whole, format: 'port' }],
  ['the format of its bounds', int32, { ...int32, format: 'int32' }],
  [
    'the format of its bounds beside null',
    { ...int32, type: ['integer', 'null'] },
    { ...int32, type: ['integer', 'null'], format: 'int32' },
  ],
  [
    'a format below its bounds',
    { ...int32, maximum: 2 ** 31 },
    { ...int32, maximum: 2 ** 31, format: 'int32' },
  ],
  [
    'a format above its bounds',
    { ...int32, minimum: -(2 ** 31) - 1 },
    { ...int32, minimum: -(2 ** 31) - 1, format: 'int32' },
  ],
  ['a format without bounds', whole, { ...whole, format: 'int64' }],
  ['the format of wide bounds', int32, { ...int32, format: 'int64' }],
  ['multipleOf', { ...whole, multipleOf: 2 }, { ...whole, multipleOf: 4 }],
  ['another multipleOf', { ...whole, multipleOf: 2 }, { ...whole, multipleOf: 3 }],
  ['uniqueItems', { type: 'array' }, { type: 'array', uniqueItems: true }],
  ['uniqueItems that asks nothing', { type: 'array' }, { type: 'array', uniqueItems: false }],
  ['contentMediaType', text, { ...text, contentMediaType: 'image/png' }],
  ['contentEncoding', text, { ...text, contentEncoding: 'base64' }],
];

const values: readonly SchemaChange[] = [
  ['enum', text, { ...text, enum: ['a', 'b'] }],
  ['a value', { enum: ['a', 'b'] }, { enum: ['a', 'b', 'c'] }],
  ['other values', { enum: ['a', 'b'] }, { enum: ['b', { c: 1 }] }],
  ['seven values', { enum: ['a'] }, { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] }],
  ['a long value', { enum: ['a'] }, { enum: ['a', 'b'.repeat(100), 'c'.repeat(101)] }],
  ['the same values in another order', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
  ['null among values', { enum: ['a'] }, { enum: ['a', null] }],
  ['const', { const: 'a' }, { const: 'b' }],
  ['const in place of enum', { enum: ['a', 'b'] }, { const: 'a' }],
  ['default', whole, { ...whole, default: 5 }],
  ['another default', { ...whole, default: 5 }, { ...whole, default: 6 }],
];

const rules = {
  ...{ not: text, if: text, else: text, contains: text, minContains: 2 },
  ...{ maxContains: 2, propertyNames: { maxLength: 3 }, patternProperties: { '^a': text } },
  ...{ dependentRequired: { a: ['b'] }, dependentSchemas: { a: text }, prefixItems: [text] },
  ...{ discriminator: { propertyName: 'kind' }, unevaluatedProperties: false },
  ...{ unevaluatedItems: false, xml: { name: 'x' } },
};

const undecided: readonly SchemaChange[] = [
  ...[...Object.entries(rules), ['then', text] as const].map(
    ([key, rule]): SchemaChange => [key, {}, { [key]: rule }],
  ),
  [
    'words in a rule',
    { not: { ...text, description: 'a', title: 'a', summary: 'a', example: 'a' } },
    { not: { ...text, description: 'b', title: 'b', summary: 'b', example: 'b' } },
  ],
  [
    'a member called description in a rule',
    { dependentSchemas: { description: text } },
    { dependentSchemas: { description: whole } },
  ],
];

const types: readonly SchemaChange[] = [
  ['another type', text, { ...whole, default: 1 }],
  ['a number in place of an integer', whole, { type: 'number' }],
  ['one of two types', { type: ['string', 'boolean'] }, text],
  ['two types that are separate', { type: ['string', 'integer'], maxLength: 3, minimum: 1 }, text],
  ['types in another order', { type: ['string', 'boolean'] }, { type: ['boolean', 'string'] }],
  ['a type', {}, text],
  ['the type of properties', { properties: { a: text } }, object({ a: whole })],
  ['the type of items', { items: text }, { type: 'array', items: whole }],
  ['another type than that of items', { items: text }, { type: 'object' }],
  ['null', text, { type: ['string', 'null'] }],
  [
    'null beside two types',
    { type: ['string', 'boolean'] },
    { type: ['string', 'boolean', 'null'] },
  ],
  ['null as the only alternative', text, { oneOf: [{ type: 'null' }] }],
  ['nothing else but null', text, { type: 'null' }],
  ['null as an alternative', part('Text'), { oneOf: [part('Text'), { type: 'null' }] }],
  [
    'null in anyOf',
    { anyOf: [part('Base'), part('Text')] },
    { anyOf: [part('Base'), part('Text'), { type: 'null' }] },
  ],
  ['nothing', true, false],
  ['anything', {}, true],
];

const alternatives: readonly SchemaChange[] = [
  [
    'an alternative more',
    { oneOf: [text, part('Base')] },
    { oneOf: [text, part('Base'), part('Tree')] },
  ],
  ['another alternative', { oneOf: [text, part('Base')] }, { oneOf: [text, whole] }],
  ['two other alternatives', { oneOf: [text, whole] }, { oneOf: [part('Base'), part('Tree')] }],
  ['alternatives in place of one', text, { anyOf: [text, whole] }],
  ['one alternative', text, { oneOf: [{ ...text, maxLength: 3 }] }],
  ['no alternative', text, { ...text, oneOf: [] }],
  [
    'the same alternatives with other words',
    { oneOf: [{ ...text, title: 'a' }, whole] },
    { oneOf: [{ ...text, title: 'b' }, whole] },
  ],
  ['a part of another name', part('Text'), part('Number')],
  ['the part in place of a reference', part('Text'), text],
  [
    'words beside a reference',
    { ...part('Text'), description: 'a' },
    { ...part('Text'), description: 'b' },
  ],
  ['parts that hold themselves', part('Tree'), part('Bush')],
  [
    'a part that is put together',
    { allOf: [part('Base'), { properties: { b: text } }] },
    object({ id: text, b: text }, { required: ['id', 'b'] }),
  ],
  [
    'a part with words beside',
    { allOf: [{ ...part('Base'), description: 'a' }] },
    { allOf: [part('Base')], minProperties: 2 },
  ],
  [
    'parts of parts of parts',
    { allOf: [{ allOf: [{ allOf: [{ properties: { a: text } }] }] }] },
    { allOf: [{ allOf: [{ allOf: [{ properties: { a: whole } }] }] }] },
  ],
  [
    'a part that is made of itself',
    { allOf: [part('Loop'), { maxProperties: 3 }] },
    { allOf: [part('Loop'), { maxProperties: 4 }] },
  ],
];

const members: readonly SchemaChange[] = [
  ['items', { type: 'array', items: text }, { type: 'array', items: whole }],
  ['items that are new', { type: 'array' }, { type: 'array', items: text }],
  [
    'items of items',
    object({ a: { type: 'array', items: { type: 'array', items: text } } }),
    object({ a: { type: 'array', items: { type: 'array', items: whole } } }),
  ],
  ['a member', object({}), object({ a: { ...text, maxLength: 3 } })],
  ['a required member', object({}), object({ a: text }, { required: ['a'] })],
  [
    'a member of a closed object',
    object({ a: text }, { additionalProperties: false }),
    object({}, { additionalProperties: false }),
  ],
  [
    'a member of an object that is closed at its end',
    object({ a: text }, { unevaluatedProperties: false }),
    object({}, { unevaluatedProperties: false }),
  ],
  ['a member that answers alone have', object({ a: part('Stamp') }), object({})],
  ['a member that requests alone have', object({ a: part('Secret') }), object({})],
  ['readOnly', object({ a: text }), object({ a: { ...text, readOnly: true } })],
  ['writeOnly', object({ a: text }), object({ a: { ...text, writeOnly: true } })],
  ['readOnly by reference', object({ a: part('Text') }), object({ a: part('Stamp') })],
  ['required', object({ a: text }), object({ a: text }, { required: ['a'] })],
  ['required without a schema', object({}), object({}, { required: ['a'] })],
  ['a name with signs', object({}), object({ 'a/b~c': object({ d: text }) })],
  [
    'a member of a member',
    object({ a: object({ b: text }) }),
    object({ a: object({ b: { ...text, maxLength: 3 } }) }),
  ],
  ['no other members', object({}), object({}, { additionalProperties: false })],
  ['other members of a kind', object({}), object({}, { additionalProperties: text })],
  ['other members as before', object({}), object({}, { additionalProperties: {} })],
  [
    'other members of another kind',
    object({}, { additionalProperties: text }),
    object({}, { additionalProperties: whole }),
  ],
  [
    'other members of a kind in place of none',
    object({}, { additionalProperties: false }),
    object({}, { additionalProperties: text }),
  ],
];

const words: readonly SchemaChange[] = [
  ...['title', 'summary', 'description', 'example'].flatMap((key): SchemaChange[] => [
    [`${key} that is new`, text, { ...text, [key]: 'a' }],
    [`another ${key}`, { ...text, [key]: 'a' }, { ...text, [key]: 'b' }],
  ]),
  ['examples', text, { ...text, examples: ['a'] }],
  ['externalDocs', text, { ...text, externalDocs: { url: 'https://sky.test' } }],
  ['deprecated', text, { ...text, deprecated: true }],
  ['deprecated until a day', text, { ...text, deprecated: true, 'x-sunset': '2027-01-01' }],
  [
    'a reason why it may pass',
    { ...text, maxLength: 3 },
    { ...text, maxLength: 4, 'x-compatible': 'Nobody reads it.' },
  ],
  [
    'a reason for a change in a form',
    { ...text, pattern: '^a$' },
    { ...text, pattern: '^b$', 'x-compatible': 'Nobody reads it.' },
  ],
  [
    'a reason that is none',
    { ...text, maxLength: 3 },
    { ...text, maxLength: 4, 'x-compatible': true },
  ],
];

export const schemaChanges: Readonly<Record<string, readonly SchemaChange[]>> = {
  ...{ limits, forms, values, undecided, types, alternatives, members, words },
};
