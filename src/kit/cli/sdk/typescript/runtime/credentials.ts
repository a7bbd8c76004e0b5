/** A key, a token, or what gives one; it is asked anew for every attempt. */
export type Secret = string | (() => string | undefined | Promise<string | undefined>);

export interface UserAndPassword {
  readonly username: string;
  readonly password: string;
}

/** How a security scheme of the contract carries credentials. */
export type Scheme =
  | { readonly kind: 'key'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly kind: 'basic' }
  | { readonly kind: 'bearer' };

export type Given = Readonly<Record<string, Secret | UserAndPassword | undefined>>;

/** What credentials add to a request. */
export interface Carried {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
  readonly cookies: readonly string[];
}

/** Carries the first alternative that credentials are there for; else the token, if there is one. */
export async function carry(
  schemes: Readonly<Record<string, Scheme>>,
  alternatives: readonly (readonly string[])[],
  given: Given,
  token: Secret | undefined,
): Promise<Carried> {
  const found = (name: string) =>
    given[name] ?? (schemes[name]?.kind === 'bearer' ? token : undefined);
  const chosen = alternatives.find(
    (names) => names.length > 0 && names.every((name) => found(name) !== undefined),
  );
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  if (!chosen) {
    const text = await secretOf(token);
    if (text !== undefined) headers.authorization = `Bearer ${text}`;
  }
  for (const name of chosen ?? []) {
    const [scheme, credential] = [schemes[name], found(name)];
    if (scheme?.kind === 'basic') {
      headers.authorization = `Basic ${base64(credential)}`;
      continue;
    }
    const text = typeof credential === 'object' ? undefined : await secretOf(credential);
    if (!scheme || text === undefined) continue;
    if (scheme.kind === 'bearer') headers.authorization = `Bearer ${text}`;
    else if (scheme.in === 'header') headers[scheme.name.toLowerCase()] = text;
    else if (scheme.in === 'cookie') cookies.push(`${scheme.name}=${encodeURIComponent(text)}`);
    else query.push(`${encodeURIComponent(scheme.name)}=${encodeURIComponent(text)}`);
  }
  return { headers, query, cookies };
}

async function secretOf(secret: Secret | undefined): Promise<string | undefined> {
  return typeof secret === 'function' ? secret() : secret;
}

/** RFC 7617: user and password as UTF-8. */
function base64(credential: unknown): string {
  const { username, password } = Object(credential);
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return btoa(String.fromCharCode(...bytes));
}
