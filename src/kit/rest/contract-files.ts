import { ApiError } from '../errors.ts';
import { type Json, json } from '../json-text.ts';

type Files<Document> = {
  readonly contract: { readonly text: string; readonly written: Document };
  readonly sdl: string;
  readonly arePublic: boolean;
};

/** Both contracts as written, and the one in YAML as JSON; not found where they are private. */
export function contractHandlers<Document>({ contract, sdl, arePublic }: Files<Document>) {
  if (!arePublic) return { yaml: absent, graphql: absent, json: absent };
  const headers = {};
  let asJson: Json<Document> | undefined;
  return {
    yaml: () => ({ status: 200, headers, body: contract.text }) as const,
    graphql: () => ({ status: 200, headers, body: sdl }) as const,
    // Made when it is first asked for, and kept.
    json: () => {
      asJson ??= json(contract.written);
      return { status: 200, headers, body: asJson } as const;
    },
  };
}

function absent(): never {
  throw new ApiError('not-found');
}
