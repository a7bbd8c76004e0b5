/** Probes and metrics: answered under any load, and not counted by the rate limit unless the contract says so. */
export const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export const contractFiles: ReadonlySet<string> = new Set([
  '/openapi.yaml',
  '/openapi.json',
  '/schema.graphql',
]);
