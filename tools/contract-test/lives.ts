/** A request and its answer, as schemathesis records them. */
export type Exchange = {
  readonly request: { readonly method: string; readonly uri: string };
  readonly response: {
    readonly status_code: number;
    readonly headers: Readonly<Record<string, readonly string[]>>;
  } | null;
};

const life = ['POST 201', 'GET 200', 'PUT 200', 'DELETE 204', 'GET 404'];

/** The collection of each record that was created, read, replaced, deleted and then not found. */
export function livesIn(exchanges: readonly Exchange[]): string[] {
  const steps = new Map<string, number>();
  for (const { request, response } of exchanges) {
    if (!response) continue;
    const created = response.headers.location?.[0];
    const record = created ?? new URL(request.uri).pathname;
    const done = steps.get(record) ?? 0;
    const isNext = `${request.method} ${response.status_code}` === life[done];
    if (isNext) steps.set(record, done + 1);
  }
  return [...steps]
    .filter(([, done]) => done === life.length)
    .map(([record]) => record.split('/')[1] ?? '');
}
