import addFormats from 'ajv-formats';

/** What `format` means, by its name. A validator of text, unless its type says `number`. */
export type Formats = Readonly<Record<string, Format>>;

type Format =
  | RegExp
  | ((text: string) => boolean)
  | { readonly type: 'string'; readonly validate: RegExp | ((text: string) => boolean) }
  | { readonly type: 'number'; readonly validate: (value: number) => boolean };

const standard = [
  ...['date', 'time', 'date-time', 'duration', 'iso-time', 'iso-date-time'],
  ...['uri', 'uri-reference', 'uri-template', 'url', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['uuid', 'regex', 'json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'],
  ...['byte'],
] as const;

/** The formats that every contract may use: those of JSON Schema and OpenAPI, and `text`. */
export const knownFormats: Formats = {
  ...Object.fromEntries(standard.map((name) => [name, standardFormat(name)])),
  // A lone surrogate has no form in UTF-8, so it could not be given back as it was sent.
  text: (text) => text.isWellFormed(),
  int32: { type: 'number', validate: (value) => value === (value | 0) },
  // JavaScript numbers are exact only up to 2^53 - 1.
  int64: { type: 'number', validate: Number.isSafeInteger },
  ...integersOf(8),
  ...integersOf(16),
  uint32: { type: 'number', validate: within(0, 2 ** 32 - 1) },
  uint64: { type: 'number', validate: within(0, Number.MAX_SAFE_INTEGER) },
  float: any,
  double: any,
  binary: any,
  password: any,
  // Nothing in ajv-formats knows the international forms.
  ...Object.fromEntries(
    ['idn-email', 'idn-hostname', 'iri', 'iri-reference'].map((name) => [name, any]),
  ),
};

function any(): boolean {
  return true;
}

function integersOf(bits: number): Formats {
  const half = 2 ** (bits - 1);
  return {
    [`int${bits}`]: { type: 'number', validate: within(-half, half - 1) },
    [`uint${bits}`]: { type: 'number', validate: within(0, 2 * half - 1) },
  };
}

function within(least: number, most: number): (value: number) => boolean {
  return (value) => Number.isInteger(value) && value >= least && value <= most;
}

function standardFormat(name: (typeof standard)[number]): Format {
  // ajv-formats is a CommonJS module, whose default export is its own default member. Its definitions may
  // compare values for `formatMinimum`, which is not asked for.
  return Reflect.get(addFormats, 'default').get(name) as Format;
}
