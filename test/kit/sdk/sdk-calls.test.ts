import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { createTypes, modelsFile } from '../../../src/kit/sdk/python/python-models.ts';
import {
  descriptor,
  fullType,
  headersClass,
  bodyType as pythonBody,
  dataType as pythonData,
} from '../../../src/kit/sdk/python/python-operation.ts';
import {
  bodyType,
  dataType,
  headersType,
  payloadType,
  typeOf,
} from '../../../src/kit/sdk/typescript/types.ts';
import { sdkContract } from '../../support/sdk-contract.ts';

const { document } = await parseContract(JSON.stringify(sdkContract));
const model = modelOf({ document, schema: undefined, digest: 'd' });
const types = createTypes(model);
const calls = model.groups.flatMap((group) => group.calls);
const callOf = (id: string) =>
  calls.find(({ operationId }) => operationId === id) ?? expect.fail(id);

/** The members of an operation that are not said by its id. */
const operations: Readonly<Record<string, string>> = {
  listShips: `method="GET"
    path="/ships"
    accept="application/json, application/problem+json, text/plain"
    replies={200: ("json", list[Ship]), 304: ("nothing", None)}
    parameters=[Parameter("limit", "limit", "query", "form", True), Parameter("after", "after", "query", "form", True), Parameter("state", "state", "query", "form", False), Parameter("x_trace", "X-Trace", "header", "simple", False), Parameter("if_none_match", "If-None-Match", "header", "simple", False), Parameter("where", "where", "query", "form", True, True, False), Parameter("path", "path", "query", "form", True, False, True)]
    reply_headers=ListShipsHeaders
    security=[["token"],["key","user"]]`,
  createShip: `method="POST"
    path="/ships"
    accept="application/json, application/problem+json"
    replies={201: ("json", Ship)}
    parameters=[Parameter("idempotency_key", "Idempotency-Key", "header", "simple", False)]
    bodies=[BodyForm("application/json", "json")]
    reply_headers=CreateShipHeaders`,
  deleteShip: `method="DELETE"
    path="/ships/{id}"
    accept="application/json"
    replies={204: ("nothing", None), 205: ("nothing", None)}
    parameters=[Parameter("id", "id", "path", "simple", False)]`,
  hasShip: `method="HEAD"
    path="/ships/{id}"
    accept="application/json"
    replies={200: ("nothing", None)}
    parameters=[Parameter("id", "id", "path", "simple", False)]`,
  'photos/add': `method="POST"
    path="/photos/{id}"
    accept="application/json"
    replies={202: ("nothing", None), 303: ("nothing", None), 304: ("nothing", None)}
    parameters=[Parameter("id", "id", "path", "simple", False)]
    bodies=[BodyForm("multipart/form-data", "multipart", {"photo": ("form", True), "number": ("pipeDelimited", False), "others": ("form", False)}), BodyForm("application/x-www-form-urlencoded", "form"), BodyForm("image/*", "binary")]`,
  'photos.get-one': `method="GET"
    path="/photos/{id}"
    accept="image/png, text/html"
    replies={"2XX": ("binary", None)}
    parameters=[Parameter("id", "id", "path", "simple", False)]`,
  putV2Files: `method="PUT"
    path="/v2/files"
    accept="*/*, application/json"
    replies={200: ("any", Any)}
    bodies=[BodyForm("*/*", "binary")]`,
  postV2Files: `method="POST"
    path="/v2/files"
    accept="text/event-stream, application/json"
    replies={200: ("text", None)}
    bodies=[BodyForm("text/*", "text")]`,
  patchV2Files: `method="PATCH"
    path="/v2/files"
    accept="application/x-www-form-urlencoded, application/json"
    replies={200: ("text", None)}
    bodies=[BodyForm("application/xml", "text"), BodyForm("image/png", "binary")]`,
  getV2Files: `method="GET"
    path="/v2/files"
    accept="multipart/form-data, application/json"
    replies={200: ("binary", None)}`,
  deleteV2Files: `method="DELETE"
    path="/v2/files"
    accept="application/json"
    replies={"default": ("json", Ship)}`,
  optionsV2Files: `method="OPTIONS"
    path="/v2/files"
    accept="*/*, application/json"
    replies={"2XX": ("any", Any)}`,
};

it.each(Object.entries(operations))(
  '%s is sent and read as the contract declares',
  (id, members) => {
    const [head = '', ...lines] = descriptor(callOf(id), types).split('\n');
    expect(head).toMatch(/^_[A-Z0-9_]+ = Operation\($/);
    expect(lines).toEqual([
      `    id="${id}",`,
      ...`    ${members}`.split('\n').map((line) => `${line},`),
      ')',
      '',
    ]);
  },
);

const form = `{
  photo: Binary;
  scan?: Binary;
  note?: string;
  encoded?: string;
  number?: number;
  others?: Binary[];
  file?: Binary;
  files?: Binary[];
}`;

it.each([
  ['listShips', 'undefined', 'Ship[]', 'None', 'list[Ship]'],
  ['createShip', 'ShipInput', 'Ship', 'ShipInput', 'Ship'],
  ['deleteShip', 'undefined', 'undefined', 'None', 'None'],
  ['hasShip', 'undefined', 'undefined', 'None', 'None'],
  [
    'photos/add',
    `${form} | MediaBody<"application/x-www-form-urlencoded", {\n  name: string;\n}> | MediaBody<string, Binary>`,
    'undefined',
    'PhotosAddBody | MediaBody[Literal["application/x-www-form-urlencoded"], PhotosAddBody2] | MediaBody[str, bytes]',
    'None',
  ],
  ['photos.get-one', 'undefined', 'Blob', 'None', 'bytes'],
  [
    'putV2Files',
    'MediaBody<string, string | Binary>',
    'unknown',
    'MediaBody[str, str | bytes]',
    'Any',
  ],
  ['postV2Files', 'MediaBody<string, string>', 'string', 'MediaBody[str, str]', 'str'],
  [
    'patchV2Files',
    'string | MediaBody<"image/png", Binary>',
    'string',
    'str | MediaBody[Literal["image/png"], bytes]',
    'str',
  ],
  ['getV2Files', 'undefined', 'Blob', 'None', 'bytes'],
  ['deleteV2Files', 'undefined', 'Ship', 'None', 'Ship'],
  ['optionsV2Files', 'undefined', 'unknown', 'None', 'Any'],
])('%s takes and gives what either language has for it', (id, body, data, ...python) => {
  const call = callOf(id);
  expect([bodyType(call), dataType(call)]).toEqual([body, data]);
  expect([pythonBody(call, types), pythonData(call, types)]).toEqual(python);
});

describe('an operation that also redirects', () => {
  const content = (schema: object) => ({ 'application/json': { schema } });
  const moved = { 302: { description: 'There.' } };

  /** An operation that demands a key and is sent one field in a style of its own. */
  async function sent(responses: object) {
    const encoding = { a: { explode: false } };
    const form = { schema: { type: 'object', properties: { a: {} } }, encoding };
    const post = {
      ...{ operationId: 'send', security: [{ key: [] }], responses: { ...responses, ...moved } },
      requestBody: { content: { 'multipart/form-data': form } },
    };
    const info = { title: 'T', version: '1' };
    const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'K' } };
    const contract = await parseContract(
      JSON.stringify({
        ...{ openapi: '3.1.0', info, paths: { '/a': { post } }, components: { securitySchemes } },
      }),
    );
    const own = modelOf({ document: contract.document, schema: undefined, digest: '' });
    return { call: own.groups[0]?.calls[0] ?? expect.fail(), types: createTypes(own) };
  }

  it.each([
    ['a text', { 200: { description: '', content: content({ type: 'string' }) } }, 'string', 'str'],
    ['nothing', { 204: { description: '' } }, '', ''],
  ])('gives %s or nothing', async (_, responses, typescript, python) => {
    const { call, types: own } = await sent(responses);
    expect(dataType(call)).toBe([typescript, 'undefined'].filter(Boolean).join(' | '));
    expect(pythonData(call, own)).toBe([python, 'None'].filter(Boolean).join(' | '));
  });

  it('gives anything where the answer may be anything', async () => {
    const { call, types: own } = await sent({ 200: { description: '', content: content({}) } });
    expect([dataType(call), pythonData(call, own)]).toEqual(['unknown', 'Any']);
  });

  it('tells Python of its one key, and of the one field that has a style', async () => {
    const { call, types: own } = await sent({ 204: { description: '' } });
    const lines = descriptor(call, own).split('\n');
    expect(lines).toContain('    security=[["key"]],');
    expect(lines).toContain(
      '    bodies=[BodyForm("multipart/form-data", "multipart", {"a": ("form", False)})],',
    );
  });
});

it('the classes of forms have files', () => {
  pythonBody(callOf('photos/add'), types);
  const file = modelsFile(types);
  expect(file).toContain('\nfrom ._body import Upload\n');
  expect(file).toContain('    photo: bytes | Upload\n    scan: bytes | Upload | None = ');
});

describe('what an operation is answered', () => {
  it('gives headers as texts and numbers, those that are always there first', () => {
    const call = callOf('listShips');
    expect(headersType(call)).toBe(
      '{ readonly link?: string | undefined; readonly etag: string; readonly xTotal?: number | undefined; readonly xShare?: number | undefined; readonly xKind?: "a" | "b" | undefined; readonly xOne?: "a" | undefined; readonly xFlag?: string | undefined; readonly xMixed?: string | undefined }',
    );
    expect(headersClass(call, types)).toBe(`@dataclass(frozen=True)
class ListShipsHeaders:
    """The headers that \`listShips\` is answered with."""

    WIRE: ClassVar[dict[str, tuple[str, Any]]] = {"link": ("link", str), "etag": ("etag", str), "x_total": ("x-total", int), "x_share": ("x-share", float), "x_kind": ("x-kind", str), "x_one": ("x-one", str), "x_flag": ("x-flag", str), "x_mixed": ("x-mixed", str)}

    etag: str
    """Its version."""
    link: str | None = None
    x_total: int | None = None
    x_share: float | None = None
    x_kind: str | None = None
    x_one: str | None = None
    x_flag: str | None = None
    x_mixed: str | None = None
`);
    expect(headersType(callOf('createShip'))).toBe('{ readonly location: string }');
    expect([headersType(callOf('deleteShip')), headersClass(callOf('deleteShip'), types)]).toEqual([
      ...['Record<never, never>', ''],
    ]);
  });

  it('may be nothing new for those who ask so, may be walked through, and be written back', () => {
    expect(fullType(callOf('listShips'), types)).toBe('list[Ship] | None');
    expect(fullType(callOf('createShip'), types)).toBe('Ship');
    const shown = calls.flatMap(({ name, pageOf, writtenBackBy, takesKey }) =>
      pageOf || writtenBackBy || takesKey
        ? [[name, pageOf && typeOf(pageOf), writtenBackBy, takesKey]]
        : [],
    );
    expect(shown).toEqual([
      ['list', 'Ship', undefined, false],
      ['create', undefined, undefined, true],
      ['get', undefined, 'replaceShip', false],
    ]);
  });

  it('is a refusal with what can be read of it', () => {
    const { refusals, summary, description } = callOf('listShips');
    expect([summary, description]).toEqual(['List ships', 'In the order of their names.']);
    expect(
      refusals.map((each) => [each.status, each.description, each.mediaType, each.shape]),
    ).toEqual([
      [400, 'Malformed.', 'application/problem+json', { kind: 'named', name: 'Problem' }],
      ['4XX', 'Refused.', 'application/json', { kind: 'named', name: 'Fault' }],
      ['default', 'Anything else.', 'text/plain', undefined],
    ]);
    expect(callOf('createShip').summary).toBe('POST /ships');
    expect(callOf('deleteV2Files').refusals.map(({ status }) => status)).toEqual(['default']);
    expect(payloadType(undefined)).toBe('undefined');
  });
});
