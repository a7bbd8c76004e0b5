import { operationsOf } from '../contract/operation.ts';
import { createSchemas } from '../contract/schemas.ts';
import { createSample } from '../mock/sample.ts';
import { type ApiCall, callOf, type Payload } from '../sdk/api-call.ts';
import { neededSchemes } from '../sdk/client-schemes.ts';
import { createExampleCalls, type ExampleCall } from '../sdk/example-call.ts';
import { type ModelSources, modelOf } from '../sdk/model.ts';
import { createTypes } from '../sdk/python/python-models.ts';
import { pythonDocumentSample, pythonSample } from '../sdk/python/python-sample.ts';
import { anything, type Shapes } from '../sdk/shape.ts';
import { typescriptDocumentSample, typescriptSample } from '../sdk/typescript/typescript-sample.ts';
import { curlSample } from './curl-sample.ts';

/** What the reference shows of an operation beside what the contract says. */
export type OperationSamples = {
  /** Where the programs say that the server is. */
  readonly address: string;
  /** Programs by language. */
  readonly programs: Readonly<Record<string, string>>;
  /** The values of required parameters, by `<in> <name>`, as one would type them. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The answer of success. */
  readonly answer: { readonly status: string; readonly text: string } | undefined;
};

/** Makes programs that call the operations of a contract, with values that it admits. */
export function createOperationSamples(
  sources: ModelSources,
): (id: string) => OperationSamples | undefined {
  const { document } = sources;
  const model = modelOf(sources);
  const types = createTypes(model);
  const exampleOf = createExampleCalls(sources);
  const sample = createSample(document, createSchemas(document, {}).createCompiler('verbose'));
  const operations = new Map(operationsOf(document).map((each) => [each.id, each]));
  const methods = new Map(
    model.groups.flatMap((group) =>
      group.calls.map((call) => [call.operationId, { group, call }] as const),
    ),
  );

  function programsOf(call: CalledOperation, example: ExampleCall): Record<string, string> {
    const needed = neededSchemes(model.schemes, call.security);
    const curl = curlSample(model.address, call, example, needed);
    const found = methods.get(call.operationId);
    if (found) {
      const { group, call: method } = found;
      return {
        curl,
        TypeScript: typescriptSample(model, group, method, example),
        Python: pythonSample(model, types, group, method, example),
      };
    }
    // SDKs have no method for TRACE, nor for the GraphQL endpoint.
    if (call.method !== 'POST') return { curl };
    const { query = '{ __typename }', variables } = Object(example.body);
    const asked = { query: String(query), variables };
    return {
      curl,
      TypeScript: typescriptDocumentSample(model, asked),
      Python: pythonDocumentSample(model, asked),
    };
  }

  function answerOf({ replies }: CalledOperation): OperationSamples['answer'] {
    const [first] = replies;
    if (!first?.payload) return undefined;
    const value = answered(first.payload);
    if (value === undefined) return undefined;
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return { status: String(first.status), text };
  }

  function answered({ kind, example, schema: own }: Payload): unknown {
    if (example !== undefined || kind !== 'json') return example;
    try {
      return sample(own, 'response');
    } catch {
      return undefined;
    }
  }

  return (id) => {
    const operation = operations.get(id);
    if (!operation) return undefined;
    // An operation that the SDKs leave out is called with curl all the same.
    const call = methods.get(id)?.call ?? callOf(document, operation, shapeless, () => {});
    const example = exampleOf(call);
    const required = [
      ...call.inPath.map((each, i) => [each, example.path[i]] as const),
      ...call.options.map((each) => [each, example.options[each.key]] as const),
    ];
    return {
      address: model.address,
      programs: programsOf(call, example),
      values: Object.fromEntries(
        required
          .filter(([, value]) => value !== undefined)
          .map(([{ in: place, name }, value]) => [`${place} ${name}`, typed(value)]),
      ),
      body: example.body,
      answer: answerOf(call),
    };
  };
}

type CalledOperation = Omit<ApiCall, 'name' | 'typeName'>;

const shapeless: Shapes = {
  shapeOf: () => anything,
  formShape: () => anything,
  components: [],
};

function typed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
