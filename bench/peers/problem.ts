/** A failure in the shape that the contract has for it. */
export function problem(status: number, type: string, title: string, detail: string) {
  return { type: `urn:accord:problem:${type}`, title, status, detail };
}

export const notFound = problem(404, 'not-found', 'Not found', 'No record has this id.');

export const notAllowed = problem(
  405,
  'method-not-allowed',
  'Method not allowed',
  'This path does not answer this method; the Allow header lists those it does.',
);

export function invalid(path: string, message: string) {
  const detail = 'The request does not satisfy the contract.';
  return {
    ...problem(400, 'invalid-request', 'Invalid request', detail),
    errors: [{ path, message }],
  };
}
