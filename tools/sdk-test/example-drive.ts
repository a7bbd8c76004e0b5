import type { Sources } from '../../src/kit/cli/sdk/sdk-sources.ts';
import { isTokenAlone } from '../../src/kit/sdk/client-schemes.ts';
import { createExampleCalls } from '../../src/kit/sdk/example-call.ts';
import type { Model } from '../../src/kit/sdk/model.ts';
import { createTypes } from '../../src/kit/sdk/python/python-models.ts';
import { callText, moduleName } from '../../src/kit/sdk/python/python-sample.ts';
import { argumentsText, isRange } from '../../src/kit/sdk/typescript/example-text.ts';

/**
 * A program that calls each operation once with values that the contract admits, and prints the status of each answer by
 * operation, or the error.
 */
export function typescriptCalls(model: Model, sources: Sources, sdk: string): string {
  const example = createExampleCalls(sources);
  const calls = model.groups.flatMap(({ name, calls: all }) => all.map((call) => ({ name, call })));
  const lines = calls.map(
    ({ name, call }) =>
      `await tell(${JSON.stringify(call.operationId)}, () => api.${name}.${call.name}(${argumentsText(call, example(call))}).withResponse());`,
  );
  const media = calls.some(({ call }) => isRange(call)) ? 'MediaBody, ' : '';
  return `import { ${media}${model.title} } from '${sdk}';

declare const process: { readonly argv: readonly string[] };

const answers: Record<string, unknown> = {};
const api = new ${model.title}({
  baseUrl: String(process.argv[2]),
  token: 'token',
  retries: 0,
  onWarning: (text) => { throw new Error(text); },
  ${credentials(model, '{ username: "user", password: "password" }', 'credentials: {', '},')}
});
async function tell(id: string, call: () => Promise<{ readonly status: number }>): Promise<void> {
  try {
    answers[id] = (await call()).status;
  } catch (error) {
    answers[id] = String(error);
  }
}
${lines.join('\n')}
console.log(JSON.stringify(answers));
`;
}

export function pythonCalls(model: Model, sources: Sources): string {
  const types = createTypes(model);
  const example = createExampleCalls(sources);
  const classes = new Set<string>();
  const lines = model.groups.flatMap((group) =>
    group.calls.map((call) => {
      const made = callText(model, group, call, example(call), types);
      for (const each of made.classes) classes.add(each);
      return `tell(${JSON.stringify(call.operationId)}, lambda: api.${made.text})`;
    }),
  );
  const given = credentials(model, '("user", "password")', 'credentials={', '},');
  return `import json
import sys
import warnings
from collections.abc import Callable

from ${moduleName(model)} import ${[model.title, ...classes].join(', ')}

warnings.simplefilter("error")
answers: dict[str, object] = {}
api = ${model.title}(sys.argv[1], token="token", retries=0, ${given})


def tell(operation: str, call: Callable[[], object]) -> None:
    try:
        call()
        answers[operation] = "ok"
    except Exception as error:
        answers[operation] = repr(error)


${lines.join('\n')}
api.close()
print(json.dumps(answers))
`;
}

function credentials({ schemes }: Model, basic: string, open: string, close: string): string {
  if (isTokenAlone(schemes)) return '';
  const entries = schemes.map(
    ({ name, kind }) => `${JSON.stringify(name)}: ${kind === 'basic' ? basic : '"secret"'}`,
  );
  return `${open} ${entries.join(', ')} ${close}`;
}
