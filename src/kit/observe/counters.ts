/** Numbers under one name, as Prometheus wants to be told of them. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How prom-client adds up those of several processes. */
  readonly aggregator: 'sum';
  readonly values: readonly Value[];
};

export type Labels = Readonly<Record<string, string | number>>;
type Value = { readonly labels: Labels; readonly value: number; readonly metricName?: string };

/** A number to be changed in place: prom-client's own counters would look up the labels each time. */
export type Cell = { value: number };

export type Numbers = {
  /** The number with these labels; to be asked for once and kept. */
  cell(labels: Labels): Cell;
  family(): Family;
};

export function createNumbers(name: string, help: string, type: 'counter' | 'gauge'): Numbers {
  const cells: { readonly labels: Labels; value: number }[] = [];
  return {
    cell(labels) {
      const cell = { labels, value: 0 };
      cells.push(cell);
      return cell;
    },
    family: () => ({ name, help, type, aggregator: 'sum', values: cells }),
  };
}

export type Histogram = {
  /** Takes the observations with these labels; to be asked for once and kept. */
  observer(labels: Labels): (value: number) => void;
  family(): Family;
};

/** How many observations were within each bound. */
export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const all: { labels: Labels; counts: Float64Array; sum: number }[] = [];
  return {
    observer(labels) {
      const series = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 };
      all.push(series);
      const { counts } = series;
      return (value) => {
        let i = 0;
        while (i < bounds.length && value > (bounds[i] ?? 0)) i++;
        counts[i] = (counts[i] ?? 0) + 1;
        series.sum += value;
      };
    },
    family: () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: all.flatMap(({ labels, counts, sum }) => {
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
      }),
    }),
  };
}

/** Keeps what `make` gives for each key; for keys out of a bounded set only. */
export function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key);
    if (value !== undefined) return value;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
