import type { Contract } from '../../src/kit/contract/contract.ts';
import { present } from '../../src/kit/errors.ts';
import { exampleRecords } from '../../src/kit/rest/example-records.ts';
import { createSchemaReader } from '../../src/kit/rest/schema-parts.ts';

/** A sample of a collection, made of the records that the contract shows and of its input's schema. */
export function derivedSample(contract: Contract, path: string) {
  const [first, second = first] = exampleRecords(contract, path).map(
    ({ id: _, ...fields }) => fields,
  );
  const input = present(first);
  const create = contract.operations.find((each) => each.path === path && each.method === 'POST');
  const schema = present(create?.bodySchema);
  const reader = createSchemaReader(contract.document);
  const properties = [...reader.properties(schema)];
  const required = new Set(reader.parts(schema).flatMap((part) => [part.required ?? []].flat()));
  const isText = (property: unknown) =>
    reader.types(property).has('string') &&
    !reader.parts(property).some((part) => part.enum || /date|time|uuid/.test(String(part.format)));
  const [text = ''] = properties.find(([, property]) => isText(property)) ?? [];
  const without = ([name]: readonly [string, unknown]) => {
    const { [name]: _, ...others } = input;
    return [`/body/${name}`, others] as const;
  };
  const ofOtherType = ([name, property]: readonly [string, unknown]) => {
    const value = reader.types(property).has('object') ? 7 : {};
    return [`/body/${name}`, { ...input, [name]: value }] as const;
  };
  return {
    input,
    other: present(second),
    edges: [input],
    refused: [
      ...properties.filter(([name]) => required.has(name)).map(without),
      ...properties.map(ofOtherType),
    ],
    text,
  };
}
