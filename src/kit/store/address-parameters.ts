// What pg reads, and what libpq's addresses have besides, which providers hand out.
const known = new Set([
  ...['host', 'port', 'user', 'password', 'ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert'],
  ...['sslnegotiation', 'uselibpqcompat', 'application_name', 'fallback_application_name'],
  ...['options', 'client_encoding', 'encoding', 'replication', 'binary', 'channel_binding'],
  ...['connect_timeout', 'statement_timeout', 'lock_timeout', 'query_timeout'],
  ...['idle_in_transaction_session_timeout', 'keepalives', 'keepalives_idle', 'gssencmode'],
  ...['keepalives_interval', 'keepalives_count', 'tcp_user_timeout', 'sslsni', 'sslcompression'],
  ...['sslcrl', 'sslpassword', 'ssl_min_protocol_version', 'ssl_max_protocol_version'],
  ...['requirepeer', 'krbsrvname', 'target_session_attrs', 'prepared_statements'],
]);

const choices: Readonly<Record<string, readonly string[]>> = {
  target_session_attrs: ['any', 'read-write', 'primary'],
  prepared_statements: ['on', 'off'],
  sslmode: ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'],
};

/** What is wrong with the parameters of an address of PostgreSQL; it repeats none of their values. */
export function parameterFault(given: URLSearchParams): string | undefined {
  const names = [...given.keys()];
  const unknown = names.findIndex((name) => !known.has(name));
  if (unknown >= 0) {
    // A name may be a part of a password.
    return `has a parameter that PostgreSQL does not know (parameter ${unknown + 1} of ${names.length})`;
  }
  for (const [name, value] of given) {
    if (choices[name] && !choices[name].includes(value)) {
      return `has ${name}, which takes ${listed(choices[name])}`;
    }
    if (/_timeout$/.test(name) && !/^\d{1,9}$/.test(value))
      return `has ${name}, which takes a number`;
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined ? undefined : `has ${twice} more than once`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
