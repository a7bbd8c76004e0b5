/** The parts of JSON Schema that decide a type. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly (Schema | boolean)[];
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly patternProperties?: Readonly<Record<string, Schema | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly (Schema | boolean)[];
  readonly anyOf?: readonly (Schema | boolean)[];
  readonly allOf?: readonly (Schema | boolean)[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping?: Readonly<Record<string, string>>;
  };
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  readonly description?: string;
};

/** The name of the component that a schema refers to. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref
    ?.match(/^#\/components\/schemas\/(.+)$/)?.[1]
    ?.replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

export function typesOf(schema: Schema): readonly string[] {
  const { type } = schema;
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  if (schema.properties || schema.additionalProperties || schema.patternProperties)
    return ['object'];
  return schema.items !== undefined || schema.prefixItems ? ['array'] : [];
}

/** Bytes: `format: binary` of OpenAPI 3.0, `contentMediaType` of 3.1, and no schema at all in a form. */
export function isBinary(schema: Schema): boolean {
  const { format, contentMediaType, contentEncoding } = schema;
  if (format === 'binary') return true;
  const isText = /^text\/|[/+](json|xml)($|;)/.test(contentMediaType ?? '');
  return contentMediaType !== undefined && contentEncoding === undefined && !isText;
}
