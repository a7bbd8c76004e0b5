const MOST_TRIES = 20;

/** A number near another, or else the smallest above the lower bound, or the largest below the upper one. */
export function numberWithin(schema: Record<string, unknown>, near?: number): number | undefined {
  const bound = (name: string, usual: number) => Number(schema[name] ?? usual);
  const minimum = bound('minimum', Number.NEGATIVE_INFINITY);
  const above = bound('exclusiveMinimum', Number.NEGATIVE_INFINITY);
  const maximum = bound('maximum', Number.POSITIVE_INFINITY);
  const below = bound('exclusiveMaximum', Number.POSITIVE_INFINITY);
  const step = bound('multipleOf', schema.type === 'number' ? 0.5 : 1);
  const [least, most] = [Math.max(minimum, above), Math.min(maximum, below)];
  const isDownward = least === Number.NEGATIVE_INFINITY && most <= 0;
  const start = isDownward ? most : Number.isFinite(least) ? least : 0;
  for (const first of [near ?? start, start]) {
    for (let i = 0; i < MOST_TRIES; i++) {
      const value = (Math.ceil(first / step) + (isDownward ? -i : i)) * step;
      const isBetween = value >= minimum && value > above && value <= maximum && value < below;
      // 3 * 0.1 is 0.30000000000000004, and no multiple.
      if (isBetween && Number.isInteger(value / step)) return value;
    }
  }
  const middle = (least + most) / 2;
  return Number.isFinite(middle) ? middle : undefined;
}
