import { type Document, isObject } from '../../contract/openapi-document.ts';
import { type Conventions, conventionsOf, ownProblem } from './conventions.ts';
import { exampleOf, fieldSchema } from './field-forms.ts';
import type { Field, Names } from './resource-fields.ts';
import { insertItem, insertMembers } from './yaml-insert.ts';

type Members = Record<string, unknown>;

/** How many records the examples and the demo show. */
export const EXAMPLES = 2;

/** Adds a collection to the text of an OpenAPI description: five operations, schemas and examples. */
export function withCollection(
  text: string,
  document: Document,
  names: Names,
  fields: readonly Field[],
): string {
  refuseKnown(document, names);
  const conventions = conventionsOf(document);
  const components: Readonly<Record<string, Members>> = {
    schemas: {
      ...schemasOf(document, names, fields),
      ...(conventions.isOwn && ownProblem(document)),
    },
    examples: examplesOf(names, fields),
  };
  const { tags } = Object(document);
  const tag = { name: names.path, description: `The ${names.allWords}.` };
  const withTag = Array.isArray(tags) && tags.length > 0 ? insertItem(text, ['tags'], tag) : text;
  const withPaths = insertMembers(withTag, ['paths'], pathsOf(names, conventions));
  return Object.entries(components).reduce(
    (made, [kind, members]) => insertMembers(made, ['components', kind], members),
    withPaths,
  );
}

function refuseKnown(document: Document, { path, type, types }: Names): void {
  const ids = new Set(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((each) => Object(each).operationId),
    ),
  );
  const known = [
    ...[`/${path}`, `/${path}/{id}`].filter((each) => Object.hasOwn(document.paths, each)),
    ...[type, `${type}Input`, `${type}Replacement`, `${type}List`]
      .filter((each) => Object.hasOwn(Object(document.components?.schemas), each))
      .map((each) => `the schema ${each}`),
    ...[`list${types}`, `create${type}`, `get${type}`, `replace${type}`, `delete${type}`]
      .filter((each) => ids.has(each))
      .map((each) => `the operation ${each}`),
  ];
  if (known.length > 0) throw new Error(`the OpenAPI description has ${known.join(', ')} already`);
}

function pathsOf(names: Names, conventions: Conventions): Members {
  const { path, type, types, words, allWords } = names;
  const { reading, writing, listed, created, got, replaced, deleted, id } = conventions;
  const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
  const content = (schema: string, example: string, key = names.one) => ({
    'application/json': {
      schema: ref('schemas', schema),
      examples: { [key]: ref('examples', example) },
    },
  });
  const common = { tags: [path] };
  const parameters = (given: readonly unknown[]) => (given.length > 0 ? { parameters: given } : {});
  const a = /^[aeiou]/.test(words) ? 'an' : 'a';
  return {
    [`/${path}`]: {
      get: {
        operationId: `list${types}`,
        ...common,
        ...reading,
        summary: `List the ${allWords}`,
        description: `All ${allWords} in order of id. With \`limit\` one page of them: a page that is not the last carries a \`Link\` to the next.`,
        ...parameters(listed.parameters),
        responses: {
          200: {
            description: `The ${allWords}, in order of id.`,
            headers: { Link: linkHeader(path) },
            content: content(`${type}List`, `${type}List`, names.many),
          },
          ...listed.failures,
        },
      },
      post: {
        operationId: `create${type}`,
        ...common,
        ...writing,
        summary: `Create ${a} ${words}`,
        description: `Stores a new ${words} and gives it the next id. The answer is sent once it is on disk.`,
        ...parameters(created.parameters),
        requestBody: {
          description: `The ${words} to store.`,
          required: true,
          content: content(`${type}Input`, `${type}Input`),
        },
        responses: {
          201: {
            description: `The ${words} as it was stored, and where it is.`,
            headers: created.headers,
            content: content(type, `${type}Created`, 'created'),
          },
          ...created.failures,
        },
      },
    },
    [`/${path}/{id}`]: {
      parameters: [id],
      get: {
        operationId: `get${type}`,
        ...common,
        ...reading,
        summary: `Get one ${words}`,
        description: `The ${words} with this id. Its \`ETag\` names the version that was read.`,
        ...parameters(got.parameters),
        responses: {
          200: { description: `The ${words}.`, headers: got.headers, content: content(type, type) },
          ...got.failures,
        },
      },
      put: {
        operationId: `replace${type}`,
        ...common,
        ...writing,
        summary: `Replace ${a} ${words}`,
        description: `Replaces the whole ${words} with this id. The body may carry the \`id\` that the path names; another id is refused.`,
        ...parameters(replaced.parameters),
        requestBody: {
          description: `The ${words} as it is to be.`,
          required: true,
          content: content(`${type}Replacement`, `${type}Input`),
        },
        responses: {
          200: {
            description: `The ${words} as it is now stored.`,
            headers: replaced.headers,
            content: content(type, type, 'replaced'),
          },
          ...replaced.failures,
        },
      },
      delete: {
        operationId: `delete${type}`,
        ...common,
        ...writing,
        summary: `Delete ${a} ${words}`,
        description: `Deletes the ${words} with this id; the id is never given to another.`,
        ...parameters(deleted.parameters),
        responses: {
          204: { description: 'It is gone. The answer has no body.' },
          ...deleted.failures,
        },
      },
    },
  };
}

function linkHeader(path: string): Members {
  return {
    description: 'Where the next page is. Absent on the last page.',
    required: false,
    schema: {
      type: 'string',
      pattern: `^</${path}\\?limit=[0-9]+&after=[A-Za-z0-9_-]+>; rel="next"$`,
      maxLength: 200,
    },
    example: `</${path}?limit=2&after=2>; rel="next"`,
  };
}

/** Each field has a schema of its own, which the record and its inputs share. */
function schemasOf(document: Document, { type, words }: Names, fields: readonly Field[]): Members {
  const known = Object(document.components?.schemas).Id;
  const isId = isObject(known) && known.type === 'integer';
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const number = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const id = isId ? ref('Id') : number;
  const nameOf = ({ name }: Field) => `${type}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  const isOwn = ({ references }: Field) => !(references && isId);
  const properties = Object.fromEntries(
    fields.map((field) => [field.name, isOwn(field) ? ref(nameOf(field)) : id]),
  );
  const object = (names: readonly string[], members: Members) => ({
    type: 'object',
    additionalProperties: false,
    ...(names.length > 0 && { required: names }),
    properties: members,
  });
  return {
    ...Object.fromEntries(fields.filter(isOwn).map((field) => [nameOf(field), fieldSchema(field)])),
    [type]: object(['id', ...required], { id, ...properties }),
    [`${type}Input`]: object(required, properties),
    [`${type}Replacement`]: {
      description: `A ${words} as \`PUT\` takes it; its \`id\`, where it has one, is the one in the path.`,
      ...object(required, { id, ...properties }),
    },
    [`${type}List`]: { type: 'array', maxItems: Number.MAX_SAFE_INTEGER, items: ref(type) },
  };
}

/** The fields of the i-th record that examples and demo show, from 1. */
export function exampleFields(fields: readonly Field[], i: number): Members {
  return Object.fromEntries(fields.map((field) => [field.name, exampleOf(field, i)]));
}

function examplesOf({ type, words, allWords }: Names, fields: readonly Field[]): Members {
  const record = (id: number, of = id) => ({ id, ...exampleFields(fields, of) });
  return {
    [type]: { summary: `One ${words}`, value: record(2) },
    [`${type}Input`]: { summary: `A ${words} to store`, value: exampleFields(fields, 2) },
    [`${type}Created`]: { summary: `The stored ${words}`, value: record(EXAMPLES + 1, 2) },
    [`${type}List`]: { summary: `Two ${allWords}`, value: [record(1), record(2)] },
  };
}
