import type { Contract } from '../../src/kit/contract/contract.ts';
import {
  methods,
  type PathItem,
  type ResponseObject,
  resolve,
} from '../../src/kit/contract/openapi-document.ts';

type Linking = ResponseObject & { readonly links?: Readonly<Record<string, unknown>> };

/** The links of the contract, each by where it starts: `POST /books -> [201] getBook`. */
export function declaredLinks({ document }: Contract): string[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      Object.entries(item[method]?.responses ?? {}).flatMap(([status, response]) => {
        const { links = {} } = resolve<Linking>(document, response);
        const source = `${method.toUpperCase()} ${path} -> [${status}]`;
        return Object.keys(links).map((name) => `${source} ${name}`);
      }),
    ),
  );
}

/** The links that were never followed; schemathesis adds ` -> target` to those that were. */
export function unfollowed(links: readonly string[], followed: Iterable<string>): string[] {
  const sources = new Set(Array.from(followed, (id) => id.slice(0, id.lastIndexOf(' -> '))));
  return links.filter((link) => !sources.has(link));
}

/** The tag of each collection: a path with POST whose records have a path with GET, PUT and DELETE. */
export function collectionTags({ document }: Contract): string[] {
  const items = Object.entries(document.paths);
  const isRecord = ([path, item]: [string, PathItem], collection: string) =>
    path.startsWith(`${collection}/{`) && item.get && item.put && item.delete;
  return items.flatMap(([path, { post }]) =>
    post && items.some((each) => isRecord(each, path)) ? (post.tags?.[0] ?? []) : [],
  );
}
