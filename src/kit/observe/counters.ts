/** A metric as prom-client's AggregatorRegistry takes it. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: 'sum';
  readonly values: readonly Value[];
};

type Label = string | number;
type Labels = Readonly<Record<string, Label>>;
type Value = { readonly labels: Labels; readonly value: number; readonly metricName?: string };

/** A metric whose values are known when it is asked for. */
export function family(
  type: Family['type'],
  name: string,
  help: string,
  values: number | readonly Value[],
): Family {
  const all = typeof values === 'number' ? [{ labels: {}, value: values }] : values;
  return { name, help, type, aggregator: 'sum', values: all };
}

export type Counter = {
  add(amount: number, ...values: readonly Label[]): void;
  family(): Family;
};

/** A counter whose labels have these names. prom-client's own sorts and hashes its labels at each call. */
export function createCounter(name: string, help: string, ...names: readonly string[]): Counter {
  const cells = createCells(names, (labels) => ({ labels, value: 0 }));
  return {
    add(amount, ...values) {
      cells.at(values).value += amount;
    },
    family: () => family('counter', name, help, cells.all()),
  };
}

export type Histogram = {
  observe(value: number, label: Label): void;
  family(): Family;
};

/** How many observations were within each bound, for each value of one label. */
export function createHistogram(
  name: string,
  help: string,
  label: string,
  bounds: readonly number[],
): Histogram {
  const cells = createCells([label], (labels) => ({
    labels,
    counts: new Float64Array(bounds.length + 1),
    sum: 0,
  }));
  return {
    observe(value, label) {
      const cell = cells.at([label]);
      let i = 0;
      while (i < bounds.length && value > (bounds[i] ?? 0)) i++;
      cell.counts[i] = (cell.counts[i] ?? 0) + 1;
      cell.sum += value;
    },
    family: () => {
      const values = cells.all().flatMap(({ labels, counts, sum }) => {
        let total = 0;
        const buckets = [...counts].map((count, i) => {
          total += count;
          const le = bounds[i] ?? '+Inf';
          return { labels: { ...labels, le }, value: total, metricName: `${name}_bucket` };
        });
        return [
          ...buckets,
          { labels, value: sum, metricName: `${name}_sum` },
          { labels, value: total, metricName: `${name}_count` },
        ];
      });
      return family('histogram', name, help, values);
    },
  };
}

/** One cell for each combination of label values, which must come from a bounded set. */
function createCells<C>(names: readonly string[], make: (labels: Labels) => C) {
  const cells = new Map<Label, C>();
  return {
    at(values: readonly Label[]): C {
      const key = values.length === 1 ? (values[0] ?? '') : values.join(' ');
      const known = cells.get(key);
      if (known) return known;
      const cell = make(Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])));
      cells.set(key, cell);
      return cell;
    },
    all: () => [...cells.values()],
  };
}
