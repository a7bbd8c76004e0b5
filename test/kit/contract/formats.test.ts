import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { knownContract } from '../../support/known-contract.ts';

/** Whether a value is admitted by a schema of a format. */
async function judgeOf(schema: object): Promise<(value: unknown) => boolean> {
  const { schemas } = await knownContract(documentOf({ A: schema }));
  return schemas({ $ref: '#/components/schemas/A' });
}

function documentOf(schemas: object): object {
  const info = { title: 'T', version: '1' };
  return { openapi: '3.1.0', info, paths: {}, components: { schemas } };
}

// RFC 3339, 3986, 4122, 4291, 5321, 6570, 6901, 1123, and ISO 8601 for durations.
describe('a format admits what its standard does:', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['date', ['2024-02-29'], ['2023-02-29', '2024-13-01', '1.2.2024']],
    ['time', ['12:00:00Z', '23:59:59.5+02:00'], ['12:00:00', '25:00:00Z']],
    ['date-time', ['2024-02-29T12:00:00Z'], ['2024-02-29', '2024-02-29T12:00:00']],
    ['iso-time', ['12:00:00', '12:00:00Z'], ['12', '24:61:00']],
    ['iso-date-time', ['2024-02-29T12:00:00', '2024-02-29 12:00:00Z'], ['2024-02-29']],
    ['duration', ['P1D', 'PT1H30M', 'P2W'], ['1D', 'P', 'P1D2W']],
    ['uri', ['https://a.example/b?c#d', 'urn:a:b'], ['/a', 'a b']],
    ['uri-reference', ['/a', '#a', 'https://a.example'], ['\\a', 'a b']],
    ['uri-template', ['/a/{b}'], ['/a/{b']],
    ['url', ['https://a.example/b'], ['a.example', 'urn:a:b']],
    ['email', ['a@b.example'], ['a', 'a@', '@b']],
    ['hostname', ['a.b-c.example'], ['-a', 'a_b', '']],
    ['ipv4', ['127.0.0.1'], ['256.0.0.1', '1.2.3']],
    ['ipv6', ['::1', '2001:db8::1'], ['1', ':::']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567', 'x']],
    ['regex', ['^a+$'], ['(']],
    ['json-pointer', ['', '/a~1b'], ['a', '/~2']],
    ['json-pointer-uri-fragment', ['#/a'], ['/a']],
    ['relative-json-pointer', ['1/a', '0#'], ['/a']],
    ['byte', ['YQ==', ''], ['?', 'YQ=']],
    ['text', ['a', '😀'], ['\ud83d', '\udc00a']],
    ['binary', ['\u0000'], []],
    ['password', [''], []],
    ['idn-email', ['é'], []],
    ['idn-hostname', ['é'], []],
    ['iri', ['é'], []],
    ['iri-reference', ['é'], []],
  ])('%s', async (format, valid, invalid) => {
    const admits = await judgeOf({ type: 'string', format });
    for (const value of valid) expect(admits(value), value).toBe(true);
    for (const value of invalid) expect(admits(value), value).toBe(false);
  });

  it.each([
    ['int8', -(2 ** 7), 2 ** 7 - 1],
    ['uint8', 0, 2 ** 8 - 1],
    ['int16', -(2 ** 15), 2 ** 15 - 1],
    ['uint16', 0, 2 ** 16 - 1],
    ['int32', -(2 ** 31), 2 ** 31 - 1],
    ['uint32', 0, 2 ** 32 - 1],
    // Numbers of JavaScript are exact up to there.
    ['int64', -(2 ** 53 - 1), 2 ** 53 - 1],
    ['uint64', 0, 2 ** 53 - 1],
  ])('%s, whole numbers from %i to %i', async (format, least, most) => {
    const admits = await judgeOf({ type: 'number', format });
    const values = [least, most, least + 1, most - 1, least - 1, most + 1, 0.5];
    expect(values.map((value) => admits(value))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each(['float', 'double'])('%s, any number', async (format) => {
    const admits = await judgeOf({ format });
    expect([0.5, -1e300, 'any text'].map((value) => admits(value))).toEqual([true, true, true]);
  });
});

describe('a format that is written nearly like a known one is a mistake:', () => {
  const known = [
    ...['date', 'time', 'date-time', 'duration', 'iso-time', 'iso-date-time', 'uri', 'url'],
    ...['uri-reference', 'uri-template', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'regex'],
    ...['json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer', 'byte', 'text'],
    ...[
      'int8',
      'int16',
      'int32',
      'int64',
      'uint8',
      'uint16',
      'uint32',
      'uint64',
      'float',
      'double',
    ],
    ...['binary', 'password', 'idn-email', 'idn-hostname', 'iri', 'iri-reference'],
  ];
  const read = (names: readonly string[], formats = {}, lenient = false) => {
    const schemas = Object.fromEntries(names.map((format) => [format, { format }]));
    return parseContract(JSON.stringify(documentOf(schemas)), 'openapi.yaml', { formats, lenient });
  };

  it('none of those that are known is one', async () => {
    expect((await read(known)).warnings).toEqual([]);
  });

  it('each of them is known', async () => {
    const { warnings } = await read(
      known.map((format) => `${format}x`),
      {},
      true,
    );
    expect(warnings.map((each) => each.replace(/^.*: /, ''))).toEqual(
      known.map(
        (format) => `found "${format}x", expected one that is known; did you mean "${format}"?`,
      ),
    );
  });

  it.each([
    ['passwort', 'password'],
    ['binray', 'binary'],
    ['doubel', 'double'],
    ['hostnam', 'hostname'],
  ])('%s is %s', async (format, meant) => {
    await expect(read([format])).rejects.toThrow(
      `found "${format}", expected one that is known; did you mean "${meant}"?`,
    );
  });

  it('also of the formats that an API has of its own, of which none is one', async () => {
    const formats = { 'isbn-13': /^97[89]/, passwort: /./ };
    expect((await read(['isbn-13', 'passwort'], formats)).warnings).toEqual([]);
    await expect(read(['isbn-31'], formats)).rejects.toThrow('did you mean "isbn-13"?');
    expect((await read(['isbn-31'])).warnings).toEqual([]);
  });
});
