import { createSchemas } from '../contract/schemas.ts';
import { createSample } from '../mock/sample.ts';
import type { ApiCall, Payload } from './api-call.ts';
import type { Parameter } from './call-parameters.ts';
import type { ModelSources } from './model.ts';
import type { Schema } from './schema.ts';

/** What an operation can be called with: the examples of the contract, else values that its schemas admit. */
export type ExampleCall = {
  readonly path: readonly unknown[];
  /** Undefined where there is none, or none can be made. */
  readonly body: unknown;
  /** The options that are required, by key. */
  readonly options: Readonly<Record<string, unknown>>;
};

/** What a call takes. */
export type CallInput = Pick<ApiCall, 'inPath' | 'options' | 'body'>;

export function createExampleCalls({
  document,
}: Pick<ModelSources, 'document'>): (call: CallInput) => ExampleCall {
  const compile = createSchemas(document, {}).createCompiler('verbose');
  const sample = createSample(document, compile);
  const admits = (schema: Schema, value: unknown) => {
    try {
      return (
        compile(schema as Parameters<typeof compile>[0], 'request')(structuredClone(value)) === true
      );
    } catch {
      return false;
    }
  };
  const sampleOf = ({ schema, example }: Pick<Parameter, 'schema' | 'example'>): unknown => {
    if (example !== undefined && admits(schema, example)) return example;
    try {
      return sample(schema, 'request');
    } catch {
      return undefined;
    }
  };
  const bodyOf = (body: Payload): unknown =>
    body.kind === 'text' || body.kind === 'binary' || body.kind === 'any'
      ? String(body.example ?? (/xml/.test(body.mediaType) ? '<root/>' : 'text'))
      : sampleOf(body);
  return ({ inPath, options, body }) => ({
    // An empty segment would be another path.
    path: inPath.map((each) => (sampleOf(each) === '' ? 'a' : sampleOf(each))),
    body: body && bodyOf(body),
    options: Object.fromEntries(
      options.filter(({ required }) => required).map((each) => [each.key, sampleOf(each)]),
    ),
  });
}

/** The call that shows best what the SDK is like: a read with little to give, or the first there is. */
export function firstCall(calls: readonly ApiCall[]): ApiCall | undefined {
  const weight = ({ method, inPath, options, replies, body }: ApiCall) =>
    (method === 'GET' ? 0 : 100) +
    (replies.some(({ payload }) => payload?.kind === 'json') ? 0 : 50) +
    (body && body.kind !== 'json' ? 20 : 0) +
    10 * options.filter(({ required }) => required).length +
    inPath.length;
  return calls.toSorted((a, b) => weight(a) - weight(b))[0];
}
