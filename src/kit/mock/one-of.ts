/** What values are changed by. */
export type Parts = {
  /** Undefined for a schema of which every value contains another. */
  readonly sampleOf: (schema: unknown) => unknown;
  /** Whether a schema admits a value. */
  readonly admits: (schema: unknown, value: unknown) => boolean;
  /** A text for the pattern of a schema, of its lengths. */
  readonly textOf: (schema: unknown) => string | undefined;
  /** The keywords of a schema, or of what it refers to. */
  readonly resolved: (schema: unknown) => Members;
  /** The properties that a schema names, also in what it refers to. */
  readonly propertiesOf: (schema: unknown) => ReadonlyMap<string, unknown>;
};

type Members = Readonly<Record<string, unknown>>;

/** An object that several of the schemas of a `oneOf` admit, changed so that all but one refuse it. */
export function ofOneAlone(
  value: Members,
  schemas: readonly unknown[],
  passing: readonly number[],
  parts: Parts,
): Members | undefined {
  for (const kept of passing) {
    let changed: Members | undefined = value;
    for (const other of passing.filter((each) => each !== kept)) {
      changed = changed && unlike(changed, schemas[kept], schemas[other], parts);
    }
    if (changed) return changed;
  }
  // Another one may be easier to tell from the rest.
  const next = schemas.findIndex((_, i) => i > Math.max(...passing));
  return next < 0 ? undefined : { ...value, ...Object(parts.sampleOf(schemas[next])) };
}

/** With a member that a schema refuses, or without one that it demands, where its own schema does not care. */
function unlike(
  value: Members,
  own: unknown,
  other: unknown,
  { propertiesOf }: Parts,
): Members | undefined {
  const known = propertiesOf(own);
  for (const [name, schema] of propertiesOf(other)) {
    const { type } = Object(schema);
    if (known.has(name) || type === undefined) continue;
    return { ...value, [name]: [type].flat().includes('string') ? 0 : 'string' };
  }
  const demanded = new Set<string>(Object(own).required ?? []);
  const only = [Object(other).required ?? []].flat().find((name) => !demanded.has(name));
  if (only === undefined) return undefined;
  const { [only]: _, ...rest } = value;
  return rest;
}
