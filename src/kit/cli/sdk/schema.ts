/** The parts of JSON Schema that decide a type. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
};

/** The name of the component that a schema refers to. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.match(/^#\/components\/schemas\/(.+)$/)?.[1];
}

export function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}
