import { expect, it } from 'vitest';
import { createExampleCalls } from '../../../src/kit/sdk/example-call.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { createTypes } from '../../../src/kit/sdk/python/python-models.ts';
import { callText } from '../../../src/kit/sdk/python/python-sample.ts';
import { argumentsText } from '../../../src/kit/sdk/typescript/example-text.ts';
import { knownContract } from '../../support/known-contract.ts';
import { ref, text, whole } from '../../support/schemas.ts';

const schemas = {
  Cat: { type: 'object', required: ['lives'], properties: { lives: whole, name: text } },
  Dog: { type: 'object', required: ['class'], properties: { class: text } },
  Pet: { oneOf: [ref('Cat'), ref('Dog')] },
};

/** A body as it is called with in Python, and the classes that it takes. */
async function bodyOf(schema: object, example: unknown, type = 'application/json') {
  const post = {
    operationId: 'send',
    requestBody: { required: true, content: { [type]: { schema, example } } },
    responses: { 204: { description: '' } },
  };
  const info = { title: 'T', version: '1' };
  const whole = { openapi: '3.1.0', info, paths: { '/a': { post } }, components: { schemas } };
  const { document } = await knownContract(whole);
  const model = modelOf({ document, schema: undefined, digest: '' });
  const group = model.groups[0] ?? expect.fail();
  const call = group.calls[0] ?? expect.fail();
  const values = createExampleCalls({ document })(call);
  const python = callText(model, group, call, values, createTypes(model));
  return { python, typescript: argumentsText(call, values) };
}

it.each([
  ['a component', ref('Cat'), { lives: 9 }, 'Cat(lives=9)', 'Cat'],
  ['a list of them', { type: 'array', items: ref('Cat') }, [{ lives: 1 }], '[Cat(lives=1)]', 'Cat'],
  ['the option that fits', ref('Pet'), { class: 'a' }, "Dog(class_='a')", 'Dog'],
  [
    'the option with all that is given',
    { anyOf: [ref('Dog'), ref('Cat')] },
    { lives: 1, name: 'a' },
    "Cat(lives=1, name='a')",
    'Cat',
  ],
  [
    'an option without a name',
    { anyOf: [{ properties: { a: whole } }, { properties: { b: whole } }] },
    { b: 1 },
    'SendBody2(b=1)',
    'SendBody2',
  ],
  [
    'the option that lacks nothing',
    {
      anyOf: [
        { required: ['a'], properties: { a: whole, b: whole } },
        { properties: { b: whole } },
      ],
    },
    { b: 1 },
    'SendBody2(b=1)',
    'SendBody2',
  ],
  [
    'an empty object by the option that has members',
    { anyOf: [{ type: 'object' }, { properties: { b: whole } }] },
    {},
    'SendBody2()',
    'SendBody2',
  ],
  [
    'the object that may be null',
    { type: ['object', 'null'], properties: { a: whole } },
    { a: 1 },
    'SendBody(a=1)',
    'SendBody',
  ],
  ['null', { type: ['object', 'null'], properties: { a: whole } }, null, 'None', ''],
  [
    'an object within another',
    {
      properties: {
        inner: { properties: { n: whole } },
        pets: { type: 'array', items: ref('Pet') },
      },
    },
    { inner: { n: 1 }, pets: [{ lives: 2 }] },
    'SendBody(inner=SendBodyInner(n=1), pets=[Cat(lives=2)])',
    'SendBody SendBodyInner Cat',
  ],
  ['a dict', { type: 'object', additionalProperties: whole }, { a: 1 }, "{'a': 1}", ''],
  ['a dict of lists', {}, { a: [1, true] }, "{'a': [1, True]}", ''],
  ['a list of anything', {}, [1, { a: null }], "[1, {'a': None}]", ''],
  ['a text', text, "it's", `"it's"`, ''],
  [
    'a line for each member where they are long',
    { type: 'array', items: ref('Cat') },
    [{ lives: 1, name: 'a'.repeat(50) }, { lives: 2 }],
    `[\n    Cat(lives=1, name='${'a'.repeat(50)}'),\n    Cat(lives=2),\n]`,
    'Cat',
  ],
])('%s is written with classes', async (_, schema, example, expected, classes) => {
  const { python } = await bodyOf(schema, example);
  expect(python.text).toBe(`a.send(${expected})`);
  expect(python.classes).toEqual(classes === '' ? [] : classes.split(' '));
});

it('a file is its bytes as far as they are ASCII, in either language', async () => {
  const file = { type: 'string', format: 'binary' };
  const form = { properties: { file, files: { type: 'array', items: file }, name: text } };
  const example = { file: 'aé~ ', files: ['b'], name: 'c' };
  const { python, typescript } = await bodyOf(form, example, 'multipart/form-data');
  expect(python.text).toBe("a.send(SendBody(file=b'a~ ', files=[b'b'], name='c'))");
  expect(typescript).toBe("{ file: new Blob(['aé~ ']), files: [new Blob(['b'])], name: 'c' }");
});

it('an example that the schema does not admit is not used', async () => {
  const schema = { type: 'object', required: ['n'], properties: { n: { ...whole, default: 4 } } };
  expect((await bodyOf(schema, { n: 'x' })).typescript).toBe('{ n: 4 }');
  expect((await bodyOf(schema, { n: 5 })).typescript).toBe('{ n: 5 }');
});
