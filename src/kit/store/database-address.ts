import { parameterFault } from './address-parameters.ts';

/** The one host of each address is where sessions may be. */
export type PostgresAddress = {
  readonly hosts: readonly [string, ...string[]];
  /** Whether a session must be on a server that takes writes. */
  readonly needsWriter: boolean;
  /** Whether statements are prepared under names, which a pooler may not know. */
  readonly hasNames: boolean;
};

/** An address whose form is wrong; the message repeats none of it, because any part may be a secret. */
type Fault = { readonly fault: string };

/**
 * Reads `postgres://user:password@a:5432,b:5432/database?target_session_attrs=read-write` as libpq does. Of
 * several hosts the one that takes writes is meant, whatever the attribute says. undefined is no such address.
 */
export function readPostgresAddress(address: string): PostgresAddress | Fault | undefined {
  const [head = '', scheme, authority] = address.match(/^(postgres(?:ql)?:\/\/)([^/?#]*)/) ?? [];
  const rest = address.slice(head.length);
  // An unencoded / ? or # in the password ends the authority there; the @ then stands after it.
  if (authority === undefined || rest.includes('@') || address === scheme) return undefined;
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  const names = authority.slice(user.length).split(',');
  const fault = names.map(faultOf).find((each) => each !== undefined);
  if (fault) return { fault };
  const [first = '', ...others] = names.map((name) => `${scheme}${user}${name}${rest}`);
  if (![first, ...others].every((each) => URL.canParse(each))) return undefined;

  const { searchParams } = new URL(first);
  const wrong = parameterFault(searchParams);
  if (wrong) return { fault: wrong };
  const attribute = searchParams.get('target_session_attrs') ?? 'any';
  if (searchParams.getAll('host').some((each) => each.includes(','))) {
    return { fault: 'has several hosts in ?host=: they stand before the database' };
  }
  return {
    hosts: [first, ...others],
    needsWriter: others.length > 0 || attribute !== 'any',
    hasNames: searchParams.get('prepared_statements') !== 'off',
  };
}

/** The same, of an address that is known to have the form. */
export function postgresAddress(address: string): PostgresAddress {
  const read = readPostgresAddress(address);
  if (read && 'hosts' in read) return read;
  throw new Error(`the address of the database ${read?.fault ?? 'is none of PostgreSQL'}`);
}

function faultOf(host: string, index: number, all: readonly string[]): string | undefined {
  const [, name, port = ''] = host.match(/^(\[[^\]]*\]|[^:]*)(?::(.*))?$/) ?? [];
  const which = all.length === 1 ? '' : ` (host ${index + 1} of ${all.length})`;
  // One host without a name is the default of PostgreSQL's clients.
  if (!name && (all.length > 1 || port)) return `has an empty host${which}`;
  const number = Number(port);
  const isPort = port === '' || (/^\d{1,5}$/.test(port) && number >= 1 && number <= 65_535);
  return isPort ? undefined : `has a port that is not a number from 1 to 65535${which}`;
}

/**
 * An address as it may stand in a message: scheme, hosts, ports and path or database. User, password and
 * query are left out, because each may hold a secret.
 */
export function shownAddress(address: string): string {
  if (address.startsWith('sqlite:')) return address;
  const all = postgresAddress(address).hosts.map((host) => new URL(host));
  const [{ protocol, pathname } = new URL(address)] = all;
  return `${protocol}//${all.map(({ host }) => host).join()}${pathname}`;
}
