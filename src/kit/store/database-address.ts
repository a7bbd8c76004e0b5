/**
 * An address as it may stand in a message: scheme, host, port and path or database. User, password and
 * query are left out, because each may hold a secret.
 */
export function shownAddress(address: string): string {
  if (address.startsWith('sqlite:')) return address;
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
