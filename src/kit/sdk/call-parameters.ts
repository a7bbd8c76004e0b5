import type { Document, ParameterObject, Style } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { exampleOf } from './contract-example.ts';
import { camelCase, capitalised, createNames, legal } from './names.ts';
import type { Schema } from './schema.ts';
import type { Shape, Shapes } from './shape.ts';

export type Parameter = {
  /** What the SDK calls it. */
  readonly key: string;
  readonly name: string;
  readonly in: ParameterObject['in'];
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly shape: Shape;
  readonly style: Style;
  readonly explode: boolean;
  /** Whether its text is JSON. */
  readonly isJson: boolean;
  readonly isReserved: boolean;
  readonly example: unknown;
};

/** What every call has, in either language; a parameter of the contract by one of these names is called otherwise. */
const taken = [
  ...['signal', 'timeout', 'retries', 'headers', 'body', 'options', 'self', 'given', 'change'],
  ...['constructor', 'arguments', 'eval', 'await', 'class', 'default', 'delete', 'enum', 'export'],
  ...['extends', 'function', 'import', 'in', 'instanceof', 'interface', 'new', 'null', 'package'],
  ...['private', 'protected', 'public', 'return', 'static', 'super', 'switch', 'this', 'throw'],
  ...['true', 'false', 'try', 'typeof', 'var', 'void', 'while', 'with', 'yield', 'let', 'const'],
  ...['if', 'else', 'for', 'do', 'break', 'case', 'catch', 'continue', 'debugger', 'finally'],
  ...['implements', 'update'],
];

export function parametersOf(
  document: Document,
  operation: Operation,
  shapes: Shapes,
): Parameter[] {
  const names = createNames(taken);
  const inPath = operation.names.flatMap((name) =>
    operation.parameters.filter((each) => each.in === 'path' && each.name === name),
  );
  const others = operation.parameters.filter((each) => each.in !== 'path');
  return [...inPath, ...others].map((parameter) => {
    const { object, name, in: place, mediaType, style, explode } = parameter;
    // A schema of the document, in the words of this room.
    const schema = (object.schema ?? object.content?.[mediaType ?? '']?.schema ?? {}) as Schema;
    const { description = '' } = Object(object);
    return {
      key: names(legal(camelCase(name), 'value'), capitalised(place)),
      ...{ name, in: place, style, explode, description, schema },
      required: parameter.required,
      shape: shapes.shapeOf(schema, 'request'),
      isJson: mediaType !== undefined,
      isReserved: object.allowReserved ?? false,
      example: exampleOf(document, object),
    };
  });
}
