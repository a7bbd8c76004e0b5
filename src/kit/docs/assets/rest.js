const mocked = new Set(JSON.parse(document.querySelector('#reference').dataset.mocked ?? '[]'));
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The contract as Swagger UI can try it: each operation has its own parameters, and optional ones start empty. */
function prepared(document) {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    // Swagger UI does not resolve references among the parameters of a path.
    const { parameters: shared = [] } = item;
    delete item.parameters;
    for (const method of methods.filter((each) => item[each])) {
      const operation = item[method];
      if (mocked.has(`${method} ${path}`)) {
        // Swagger UI has no badges.
        operation.summary = `[mocked] ${operation.summary ?? ''}`;
      }
      const own = (operation.parameters ?? []).map((each) => resolved(document, each));
      const isOwn = ({ name, in: place }) => own.some((o) => o.name === name && o.in === place);
      const inherited = shared
        .map((each) => resolved(document, each))
        .filter((each) => !isOwn(each));
      operation.parameters = [...inherited, ...own].map((each) =>
        each.required ? each : withoutValue(document, each),
      );
    }
  }
  return document;
}

/**
 * Swagger UI fills in an example or a default, and has no option against it (swagger-ui#5776). A fixed
 * Idempotency-Key would make the second request a repetition, a limit would hide records.
 */
function withoutValue(document, parameter) {
  const { example, examples = {}, description = '', ...rest } = parameter;
  const { example: typical, default: standard, ...schema } = resolved(document, rest.schema ?? {});
  const shown = example ?? Object.values(examples)[0]?.value ?? typical;
  const words = [
    description,
    shown === undefined ? '' : `Example: \`${shown}\``,
    standard === undefined ? '' : `Default: \`${standard}\``,
  ];
  return { ...rest, schema, description: words.filter(Boolean).join('\n\n') };
}

function resolved(document, { $ref, ...value }) {
  if (!$ref?.startsWith('#/')) return $ref ? { $ref, ...value } : value;
  const names = $ref.slice(2).split('/');
  const target = names.reduce(
    (at, name) => at?.[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return { ...resolved(document, target ?? {}), ...value };
}

function prepare(answer) {
  if (!answer.ok) return answer;
  return { ...answer, text: JSON.stringify(prepared(JSON.parse(answer.text))) };
}

// Swagger UI on the contract that this server enforces.
window.SwaggerUIBundle({
  dom_id: '#reference',
  url: '/openapi.json',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // Would send the contract to a validator on another host.
  validatorUrl: null,
  requestInterceptor: (request) =>
    request.loadSpec ? { ...request, responseInterceptor: prepare } : request,
});

// Its dark colours hang on a class, ours on what the reader prefers.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
