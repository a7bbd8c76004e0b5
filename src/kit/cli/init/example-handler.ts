import type { Contract } from '../../contract/contract.ts';
import { isJsonType } from '../../contract/media-type.ts';
import {
  type HeaderObject,
  isObject,
  type MediaTypeObject,
  resolve,
} from '../../contract/openapi-document.ts';
import type { Operation } from '../../contract/operation.ts';
import { examplesOf } from '../../mock/contract-examples.ts';
import { createSample } from '../../mock/sample.ts';
import { literalText, nameText } from './literal-text.ts';

/** One handler as a member of an object of TypeScript; undefined where no operation answers with a JSON object. */
export function exampleHandler(contract: Contract): string | undefined {
  const { operations } = contract;
  const paths = operations.map(({ path }) => path);
  // In this order: a handler of an operation with security needs a function that verifies credentials, and what belongs
  // to a collection is better left to its mock, which keeps what it is sent.
  const drawbacks = ({ security, path, method, parameters }: Operation) => [
    security.length > 0 && security.every((each) => Object.keys(each).length > 0),
    path.endsWith('}') || paths.some((other) => other.startsWith(`${path}/{`)),
    method !== 'GET',
    parameters.some(({ required }) => required),
  ];
  const weight = (operation: Operation) => drawbacks(operation).map(Number).join('');
  for (const operation of operations.toSorted((a, b) => weight(a).localeCompare(weight(b)))) {
    const text = handlerText(contract, operation);
    if (text !== undefined) return text;
  }
  return undefined;
}

function handlerText(contract: Contract, operation: Operation): string | undefined {
  for (const [status, { content, headers }] of operation.responses) {
    const types = Object.keys(content ?? {});
    const type = types.find(isJsonType);
    const media = type && content?.[type];
    if (!/^2\d\d$/.test(status) || !media || types.some((each) => each.includes('*'))) continue;
    const demanded = Object.values(headers ?? {}).some(
      (each) => resolve<HeaderObject>(contract.document, each).required,
    );
    const value = demanded ? undefined : exampleOf(contract, media);
    if (!isObject(value)) continue;
    const choice = types.length > 1 ? `    type: ${literalText(type)},\n` : '';
    const body = literalText(value, '    ');
    return `  ${nameText(operation.id)}: () => ({\n    status: ${status},\n${choice}    body: ${body},\n  }),\n`;
  }
  return undefined;
}

/** An example that its schema admits, else a value that is made from it. */
function exampleOf({ document, createCompiler }: Contract, media: MediaTypeObject): unknown {
  const compile = createCompiler('verbose');
  const components = { ...document.components, 'x-schemas': document.components?.schemas ?? {} };
  if (media.schema === undefined) return undefined;
  const validate = compile(media.schema, 'response');
  const example = examplesOf(document, media).find((each) => validate(each));
  return example ?? createSample({ ...document, components }, compile)(media.schema, 'response');
}
