import { describe, expect, it } from 'vitest';
import { postgresAddress } from '../../../src/kit/store/database-address.ts';

/** What is wrong with an address that has this query; undefined where nothing is. */
function faultOf(query: string): string | undefined {
  try {
    postgresAddress(`postgres://h/d?${query}`);
    return undefined;
  } catch (error) {
    return String(error).replace('Error: the address of the database ', '');
  }
}

// The parameters of libpq (section 34.1.2 of PostgreSQL's manual) and of pg that take any text.
const texts =
  `host port user password ssl sslcert sslkey sslrootcert sslnegotiation uselibpqcompat application_name
  fallback_application_name options client_encoding encoding replication binary channel_binding keepalives
  keepalives_idle keepalives_interval keepalives_count gssencmode sslsni sslcompression sslcrl sslpassword
  ssl_min_protocol_version ssl_max_protocol_version requirepeer krbsrvname`.split(/\s+/);
const times =
  `connect_timeout statement_timeout lock_timeout query_timeout idle_in_transaction_session_timeout
  tcp_user_timeout`.split(/\s+/);
const choices = {
  target_session_attrs: ['any', 'read-write', 'primary'],
  prepared_statements: ['on', 'off'],
  sslmode: ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'],
};

describe('a parameter of an address', () => {
  it.each(texts)('%s takes any text', (name) => {
    expect(faultOf(`${name}=5s`)).toBeUndefined();
  });

  it.each(times)('%s takes a number of at most nine digits', (name) => {
    for (const value of ['0', '5', '999999999']) {
      expect(faultOf(`${name}=${value}`)).toBeUndefined();
    }
    for (const value of ['', '5s', '-1', '1.5', '1000000000']) {
      expect(faultOf(`${name}=${value}`)).toBe(`has ${name}, which takes a number`);
    }
  });

  it.each(Object.entries(choices))('%s takes one of %j', (name, values) => {
    for (const value of values) expect(faultOf(`${name}=${value}`)).toBeUndefined();
    const listed = values.join(', ').replace(/, ([^,]*)$/, ' or $1');
    for (const value of ['', 'x', values.join(), `${values[0]}x`]) {
      expect(faultOf(`${name}=${value}`)).toBe(`has ${name}, which takes ${listed}`);
    }
  });

  it('that is unknown is told by its place', () => {
    const all = [...texts.map((name) => `${name}=x`), ...times.map((name) => `${name}=1`)];
    expect(faultOf(all.join('&'))).toBeUndefined();
    const count = all.length + 1;
    expect(faultOf(['Host=x', ...all].join('&'))).toBe(
      `has a parameter that PostgreSQL does not know (parameter 1 of ${count})`,
    );
    expect(faultOf([...all, 'pasword=x'].join('&'))).toBe(
      `has a parameter that PostgreSQL does not know (parameter ${count} of ${count})`,
    );
  });

  it('stands once', () => {
    expect(faultOf('ssl=1&user=a&ssl=1')).toBe('has ssl more than once');
  });
});
