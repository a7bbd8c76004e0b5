import { isTokenAlone } from '../../../sdk/client-schemes.ts';
import type { Group } from '../../../sdk/groups.ts';
import { graphqlPath, type Model } from '../../../sdk/model.ts';
import { createTypes, modelsFile, type Types, union } from '../../../sdk/python/python-models.ts';
import { docstring, fieldName, quoted } from '../../../sdk/python/text.ts';
import { graphqlOf } from '../graphql-operations.ts';
import type { Sources } from '../sdk-sources.ts';
import { graphqlFile } from './python-graphql.ts';
import { className, groupFile } from './python-group.ts';

const head = '# Made from the contracts by `accord sdk`: what is changed here is lost.\n';

/** The modules of the package, runtime aside, by file name. */
export function pythonFiles(
  model: Model,
  sources: Sources,
  types = createTypes(model),
): Record<string, string> {
  const graphql = graphqlOf(sources);
  const groups = groupsOf(model).map(
    (group) => [`groups/${fieldName(group.name)}.py`, groupFile(group, types)] as const,
  );
  const errors = errorsFile(model, types);
  const files: Record<string, string> = {
    // After all others: what they need has a class in it.
    'models.py': modelsFile(types),
    'errors.py': errors,
    ...(graphql && { 'graphql.py': graphqlFile(graphql) }),
    '_client.py': clientFile(model),
    '_version.py': `"""What this was made from."""\n\nVERSION = ${quoted(model.version)}\nCONTRACT_DIGEST = "${model.digest}"\n`,
    '__init__.py': initFile(model),
    'groups/__init__.py': '"""The operations by tag."""\n',
    ...Object.fromEntries(groups),
  };
  return {
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, head + text])),
    'py.typed': '',
  };
}

const groupsOf = ({ groups }: Model): Group[] => groups.filter(({ calls }) => calls.length > 0);

function errorsFile(model: Model, types: Types): string {
  const classes = model.errors.map(({ status, className: name, descriptions, shapes }) => {
    const type = union([...shapes.map((shape) => types.typeOf(shape, `${name}Problem`)), 'None']);
    return [
      `class ${name}(ApiError):\n`,
      docstring([`${status}. ${descriptions.join(' ')}`], '    '),
      `\n    status: Literal[${status}]\n    problem: ${type}\n`,
    ].join('');
  });
  const problems = model.errors.map(({ status, className: name, shapes }) => {
    const type = union(shapes.map((shape) => types.typeOf(shape, `${name}Problem`)));
    return `    ${status}: (${name}, ${type || 'None'}),\n`;
  });
  const other = union(model.otherErrors.map((shape) => types.typeOf(shape, 'OtherProblem')));
  const tokens = new Set(`${problems.join()} ${other}`.match(/[\p{L}_][\p{L}\p{Nd}_]*/gu));
  const used = [...types.classes.keys()].filter((name) => tokens.has(name));
  return [
    '"""A class for each status that the contract refuses with."""\n\nfrom __future__ import annotations\n\n',
    `from collections.abc import Mapping\nfrom typing import ${tokens.has('Annotated') ? 'Annotated, ' : ''}Any, Literal\n\n`,
    'from ._errors import ApiConnectionError, ApiError, ApiTimeoutError, ContractMismatchWarning\n',
    model.hasGraphql ? 'from ._graphql import GraphqlFault, GraphqlRequestError\n' : '',
    `from ._wire import ${tokens.has('Discriminator') ? 'Discriminator, ' : ''}decode\n`,
    used.length > 0 ? `from .models import ${used.join(', ')}\n` : '',
    '\n\n',
    classes.join('\n\n'),
    `${classes.length > 0 ? '\n\n' : ''}_CLASSES: dict[int, tuple[type[ApiError], Any]] = {\n${problems.join('')}}\n\n\n`,
    'def refusal(operation: str, status: int, body: Any, headers: Mapping[str, str]) -> ApiError:\n',
    '    """The error of the class that the contract has for a status."""\n',
    `    kind, problem = _CLASSES.get(status, (ApiError, ${other || 'None'}))\n`,
    '    try:\n        told = None if problem is None else decode(problem, body)\n',
    '    except ValueError:\n        # Whoever answered was not the server: a proxy has its own words.\n        told = None\n',
    '    return kind(operation, status, told, headers)\n',
    `\n\n__all__ = [\n${[
      ...model.errors.map((each) => each.className),
      'ApiConnectionError',
      'ApiError',
      'ApiTimeoutError',
      'ContractMismatchWarning',
      ...(model.hasGraphql ? ['GraphqlFault', 'GraphqlRequestError'] : []),
    ]
      .map((name) => `    "${name}",\n`)
      .join('')}]\n`,
  ].join('');
}

function clientFile(model: Model): string {
  const groups = groupsOf(model);
  const imports = groups.map(
    (group) =>
      `from .groups.${fieldName(group.name)} import ${className(group, 'async')}, ${className(group, 'sync')}\n`,
  );
  return [
    '"""The clients, with and without waiting."""\n\nfrom __future__ import annotations\n\n',
    `from collections.abc import Mapping\nfrom types import TracebackType\nfrom typing import Self${isTokenAlone(model.schemes) ? '' : ', TypedDict'}\n\nimport httpx\n\n`,
    isTokenAlone(model.schemes) ? '' : 'from ._credentials import Scheme\n',
    `from ._options import ${isTokenAlone(model.schemes) ? '' : 'AsyncSecret, '}AsyncToken, ${isTokenAlone(model.schemes) ? '' : 'Secret, '}Settings, Token\nfrom ._request import Identity\n`,
    'from ._transport import AsyncTransport, Transport\nfrom ._version import CONTRACT_DIGEST\n',
    'from .errors import refusal\n',
    model.hasGraphql ? 'from .graphql import AsyncGraphql, Graphql\n' : '',
    imports.join(''),
    credentials(model),
    `\n_IDENTITY = Identity("${model.packageName}-python/${model.packageVersion}", CONTRACT_DIGEST, refusal${isTokenAlone(model.schemes) ? '' : ', _SCHEMES'})\n\n\n`,
    clientClass(model, 'sync'),
    '\n\n',
    clientClass(model, 'async'),
  ].join('');
}

function clientClass(model: Model, mode: 'sync' | 'async'): string {
  const isAsync = mode === 'async';
  const isPlain = isTokenAlone(model.schemes);
  const [prefix, def, wait] = isAsync ? ['Async', 'async def', 'await '] : ['', 'def', ''];
  const [enter, exit] = isAsync ? ['__aenter__', '__aexit__'] : ['__enter__', '__exit__'];
  const groups = groupsOf(model).map(
    (group) =>
      `        self.${fieldName(group.name)} = ${className(group, mode)}(transport)\n${docstring([group.about], '        ')}`,
  );
  return `class ${isAsync ? asyncTitle(model) : model.title}:
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
    ...(isPlain ? [] : ['    credentials: By the names that the contract has for them.']),
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
${isPlain ? '' : `        credentials: ${prefix}Credentials | None = None,\n`}    ) -> None:
        settings = Settings(base_url, timeout, retries, max_delay, headers or {})
        http = http_client or httpx.${prefix}Client()
        transport = ${prefix}Transport(settings, _IDENTITY, token, http${isPlain ? '' : ', credentials'})
        self._transport = transport
${groups.join('')}${
  model.hasGraphql
    ? `        self.graphql = ${prefix}Graphql(transport, "${graphqlPath}")\n        """GraphQL operations."""\n`
    : ''
}
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

const asyncTitle = ({ title }: Model) => `Async${title}`;

/** What the schemes of the contract are given, and how they carry it. */
function credentials({ schemes }: Model): string {
  if (isTokenAlone(schemes)) return '';
  const dictionary = (prefix: string) => {
    const members = schemes.map(
      ({ name, kind }) =>
        `        ${quoted(name)}: ${kind === 'basic' ? 'tuple[str, str]' : `${prefix}Secret`},\n`,
    );
    return `${prefix}Credentials = TypedDict(\n    "${prefix}Credentials",\n    {\n${members.join('')}    },\n    total=False,\n)\n`;
  };
  const table = schemes.map((scheme) => {
    const place = scheme.kind === 'key' ? `, "${scheme.in}", ${quoted(scheme.key)}` : '';
    return `    ${quoted(scheme.name)}: Scheme("${scheme.kind}"${place}),\n`;
  });
  return `\n${dictionary('')}\n${dictionary('Async')}\n_SCHEMES = {\n${table.join('')}}\n`;
}

function initFile(model: Model): string {
  const { title } = model;
  return [
    docstring([model.summary], ''),
    `\nfrom ._client import ${title}, Async${title}\n`,
    'from ._body import MediaBody, Upload\n',
    model.hasGraphql ? 'from ._graphql import TypedDocument\n' : '',
    'from ._options import RequestOptions\n',
    'from ._pages import AsyncPagedList, PagedList\nfrom ._request import Reply\n',
    'from ._version import CONTRACT_DIGEST, VERSION\n',
    'from .errors import *\nfrom .models import *\nfrom . import errors as _errors, models as _models\n\n',
    '__version__ = VERSION\n__all__ = [\n',
    ...[
      title,
      `Async${title}`,
      'AsyncPagedList',
      'CONTRACT_DIGEST',
      'MediaBody',
      'PagedList',
      'Reply',
      'RequestOptions',
      ...(model.hasGraphql ? ['TypedDocument'] : []),
      'Upload',
      'VERSION',
    ].map((name) => `    "${name}",\n`),
    ']\n__all__ += _errors.__all__\n__all__ += _models.__all__\n',
  ].join('');
}
