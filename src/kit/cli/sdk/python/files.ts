import type { Sources } from '../contracts.ts';
import { graphqlCodes, namedOperations } from '../graphql-operations.ts';
import { type Group, graphqlPath, type Model, packageName } from '../model.ts';
import { snakeCase } from '../names.ts';
import { graphqlFile } from './graphql.ts';
import { className, groupFile } from './group.ts';
import { createTypes, modelsFile, type Types, union } from './models.ts';
import { docstring } from './text.ts';

const head = '# Made from the contracts by `npm run sdk`: what is changed here is lost.\n';

/** The modules of the package, runtime aside, by file name. */
export function pythonFiles(model: Model, sources: Sources): Record<string, string> {
  const types = createTypes(model);
  const models = modelsFile(model, types);
  const groups = groupsOf(model);
  const { schema, operations } = namedOperations(sources);
  const files: Record<string, string> = {
    'models.py': models,
    'errors.py': errorsFile(model, types),
    'graphql.py': graphqlFile(schema, operations, graphqlCodes(sources.document)),
    '_client.py': clientFile(model),
    '_version.py': `"""What this was made from."""\n\nVERSION = "${model.version}"\nCONTRACT_DIGEST = "${model.digest}"\n`,
    '__init__.py': initFile(model),
    'groups/__init__.py': '"""The operations by tag."""\n',
  };
  for (const group of groups) files[`groups/${snakeCase(group.name)}.py`] = groupFile(group, types);
  return {
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, head + text])),
    'py.typed': '',
  };
}

export const moduleName = (model: Model) => packageName(model).replaceAll('-', '_');

const groupsOf = ({ groups }: Model): Group[] => groups.filter(({ calls }) => calls.length > 0);

function errorsFile(model: Model, types: Types): string {
  const classes = model.errors.map(({ status, className: name, descriptions, schemas }) => {
    const type = union([...schemas.map((schema) => types.typeOf(schema, name)), 'None']);
    return [
      `class ${name}(ApiError):\n`,
      docstring([`${status}. ${descriptions.join(' ')}`], '    '),
      `\n    status: Literal[${status}]\n    problem: ${type}\n`,
    ].join('');
  });
  const problems = model.errors.map(({ status, className: name, schemas }) => {
    const type = union(schemas.map((schema) => types.typeOf(schema, name)));
    return `    ${status}: (${name}, ${type || 'None'}),\n`;
  });
  const used = [...types.classes.keys()].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(problems.join()),
  );
  return [
    '"""A class for each status that the contract refuses with."""\n\nfrom __future__ import annotations\n\n',
    'from collections.abc import Mapping\nfrom typing import Any, Literal\n\n',
    'from ._errors import ApiConnectionError, ApiError, ApiTimeoutError, ContractMismatchWarning\n',
    'from ._graphql import GraphqlFault, GraphqlRequestError\nfrom ._wire import decode\n',
    `from .models import ${used.join(', ')}\n\n\n`,
    classes.join('\n\n'),
    `\n\n_CLASSES: dict[int, tuple[type[ApiError], Any]] = {\n${problems.join('')}}\n\n\n`,
    'def refusal(operation: str, status: int, body: Any, headers: Mapping[str, str]) -> ApiError:\n',
    '    """The error of the class that the contract has for a status."""\n',
    '    kind, problem = _CLASSES.get(status, (ApiError, None))\n',
    '    try:\n        told = None if problem is None else decode(problem, body)\n',
    '    except ValueError:\n        # Whoever answered was not the server: a proxy has its own words.\n        told = None\n',
    '    return kind(operation, status, told, headers)\n',
    `\n\n__all__ = [\n${[
      ...model.errors.map((each) => each.className),
      'ApiConnectionError',
      'ApiError',
      'ApiTimeoutError',
      'ContractMismatchWarning',
      'GraphqlFault',
      'GraphqlRequestError',
    ]
      .map((name) => `    "${name}",\n`)
      .join('')}]\n`,
  ].join('');
}

function clientFile(model: Model): string {
  const groups = groupsOf(model);
  const imports = groups.map(
    (group) =>
      `from .groups.${snakeCase(group.name)} import ${className(group, 'async')}, ${className(group, 'sync')}\n`,
  );
  return [
    '"""The clients, with and without waiting."""\n\nfrom __future__ import annotations\n\n',
    'from collections.abc import Mapping\nfrom types import TracebackType\nfrom typing import Self\n\nimport httpx\n\n',
    'from ._options import AsyncToken, Settings, Token\nfrom ._request import Identity\n',
    'from ._transport import AsyncTransport, Transport\nfrom ._version import CONTRACT_DIGEST, VERSION\n',
    'from .errors import refusal\nfrom .graphql import AsyncGraphql, Graphql\n',
    imports.join(''),
    `\n_IDENTITY = Identity(f"${packageName(model)}-python/{VERSION}", CONTRACT_DIGEST, refusal)\n\n\n`,
    clientClass(model, 'sync'),
    '\n\n',
    clientClass(model, 'async'),
  ].join('');
}

function clientClass(model: Model, mode: 'sync' | 'async'): string {
  const isAsync = mode === 'async';
  const [prefix, def, wait] = isAsync ? ['Async', 'async def', 'await '] : ['', 'def', ''];
  const [enter, exit] = isAsync ? ['__aenter__', '__aexit__'] : ['__enter__', '__exit__'];
  const groups = groupsOf(model).map(
    (group) =>
      `        self.${snakeCase(group.name)} = ${className(group, mode)}(transport)\n${docstring([group.about], '        ')}`,
  );
  return `class ${prefix}${model.title}:
${docstring(
  [
    model.summary,
    '',
    'Args:',
    '    base_url: Where the server is, such as https://api.example.com.',
    '    token: The bearer token, or what gives one; it is asked anew for every attempt.',
    '    timeout: For how many seconds the server may be silent.',
    '    retries: How often a request that can safely be sent again is.',
    '    max_delay: The longest to wait for another attempt, in seconds.',
    '    headers: Sent with every request.',
    '    http_client: Another client of httpx, for a proxy or for tests.',
  ],
  '    ',
)}
    def __init__(
        self,
        base_url: str,
        *,
        token: ${prefix}Token | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        max_delay: float = 60.0,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.${prefix}Client | None = None,
    ) -> None:
        settings = Settings(base_url, timeout, retries, max_delay, headers or {})
        http = http_client or httpx.${prefix}Client()
        transport = ${prefix}Transport(settings, _IDENTITY, token, http)
        self._transport = transport
${groups.join('')}        self.graphql = ${prefix}Graphql(transport, "${graphqlPath}")
        """GraphQL operations."""

    ${def} close(self) -> None:
        """Closes the connections."""
        ${wait}self._transport.close()

    ${def} ${enter}(self) -> Self:
        return self

    ${def} ${exit}(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ${wait}self.close()
`;
}

function initFile(model: Model): string {
  const { title } = model;
  return [
    docstring([model.summary], ''),
    `\nfrom ._client import ${title}, Async${title}\n`,
    'from ._graphql import TypedDocument\nfrom ._options import RequestOptions\n',
    'from ._pages import AsyncPagedList, PagedList\nfrom ._request import Reply\n',
    'from ._version import CONTRACT_DIGEST, VERSION\n',
    'from .errors import *\nfrom .models import *\nfrom . import errors as _errors, models as _models\n\n',
    '__version__ = VERSION\n__all__ = [\n',
    ...[
      title,
      `Async${title}`,
      'AsyncPagedList',
      'CONTRACT_DIGEST',
      'PagedList',
      'Reply',
      'RequestOptions',
      'TypedDocument',
      'VERSION',
    ].map((name) => `    "${name}",\n`),
    ']\n__all__ += _errors.__all__\n__all__ += _models.__all__\n',
  ].join('');
}
