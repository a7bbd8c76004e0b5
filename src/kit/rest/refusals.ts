import type { Route } from '../contract/routes.ts';
import type { ApiError } from '../errors.ts';

/**
 * What the validator has refused for its method. That depends on the path and the method alone, so what it
 * said once holds for every request, and there are no more of them than paths and methods.
 */
export type Refusals = {
  find(route: Route, method: string): ApiError | undefined;
  keep(route: Route, method: string, refusal: ApiError): void;
};

export function createRefusals(): Refusals {
  const routes = new Map<Route, Map<string, ApiError>>();
  return {
    find: (route, method) => routes.get(route)?.get(method),
    keep(route, method, refusal) {
      const known = routes.get(route) ?? new Map<string, ApiError>();
      routes.set(route, known.set(method, refusal));
    },
  };
}
