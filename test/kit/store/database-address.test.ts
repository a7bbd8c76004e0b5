import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { postgresAddress, shownAddress } from '../../../src/kit/store/database-address.ts';

const cluster = 'postgres://u:se%2Ccret@a:5433,b,[::1]:5435/d?target_session_attrs=read-write';

describe('an address of PostgreSQL', () => {
  it('names one host or several, each with its port', () => {
    const rest = '/d?target_session_attrs=read-write';
    expect(postgresAddress(cluster)).toEqual({
      hosts: ['a:5433', 'b', '[::1]:5435'].map((each) => `postgres://u:se%2Ccret@${each}${rest}`),
      needsWriter: true,
      hasNames: true,
    });
  });

  it.each([
    ['postgres://u:p@h/d', false],
    ['postgresql:///d', false],
    ['postgres://h/d?target_session_attrs=any', false],
    ['postgres://h/d?target_session_attrs=read-write', true],
    ['postgres://h/d?target_session_attrs=primary', true],
    ['postgres://a,b/d', true],
    ['postgres://a,b/d?target_session_attrs=any', true],
  ])('%s demands a server that takes writes: %s', (address, needsWriter) => {
    expect(postgresAddress(address).needsWriter).toBe(needsWriter);
  });

  it('may turn off the names of prepared statements', () => {
    expect(postgresAddress('postgres://h/d?prepared_statements=off').hasNames).toBe(false);
    expect(postgresAddress('postgres://h/d?prepared_statements=on').hasNames).toBe(true);
  });

  it.each([1, 9999, 10_000, 65_535])('takes the port %i', (port) => {
    const address = `postgres://h:${port}/d`;
    expect(postgresAddress(address).hosts).toEqual([address]);
  });

  it.each(['postgres://', 'mysql://h/d', 'h/d', 'sqlite:x.db'])('is not %s', (address) => {
    expect(() => postgresAddress(address)).toThrow('is none of PostgreSQL');
  });

  it('is shown with all its hosts, without user, password and query', () => {
    expect(shownAddress(cluster)).toBe('postgres://a:5433,b,[::1]:5435/d');
    expect(shownAddress('postgres:///d?host=/tmp')).toBe('postgres:///d');
    expect(shownAddress('sqlite:data/x.db')).toBe('sqlite:data/x.db');
  });
});

describe('the start is refused for an address with', () => {
  it.each([
    ['an empty host', 'a:1,,c:1/d', 'has an empty host (host 2 of 3)'],
    ['an empty last host', 'a:1,/d', 'has an empty host (host 2 of 2)'],
    ['a port alone', ':5432/d', 'has an empty host'],
    ['a port that is none', 'a:1,b:x/d', 'port that is not a number from 1 to 65535 (host 2 of 2)'],
    ['a port too high', 'a:65536/d', 'has a port that is not a number from 1 to 65535'],
    ['the port 0', 'a:0,b/d', '(host 1 of 2)'],
    ['an IPv6 address without brackets', '::1,b/d', 'has an empty host (host 1 of 2)'],
    ['a demand for a standby', 'a,b/d?target_session_attrs=standby', 'target_session_attrs, which'],
    ['an unknown demand', 'a/d?target_session_attrs=writer', 'takes any, read-write or primary'],
    [
      'an unknown switch',
      'a/d?prepared_statements=no',
      'prepared_statements, which takes on or off',
    ],
    ['a misspelt parameter', 'a/d?ssl=1&sslmod=secret', 'does not know (parameter 2 of 2)'],
    ['another case', 'a/d?SSLMODE=require', 'does not know (parameter 1 of 1)'],
    ['a misspelt choice', 'a/d?sslmode=requir', 'sslmode, which takes disable, allow'],
    ['a time that is none', 'a/d?statement_timeout=5s', 'statement_timeout, which takes a number'],
    ['a parameter twice', 'a/d?sslmode=require&sslmode=disable', 'has sslmode more than once'],
    ['hosts in its query', 'a/d?host=a,b', 'several hosts in ?host='],
    ['a / in the password', 'u:secret/secret@a,b/d', 'takes sqlite:<file>'],
    ['a space in a host', 'a b,c/d', 'takes sqlite:<file>'],
    ['a space in a later host', 'a,b c/d', 'takes sqlite:<file>'],
    ['a port in another notation', 'a:1e3/d', 'has a port that is not a number from 1 to 65535'],
  ])('%s', (_, rest, reason) => {
    const address = rest.includes('@') ? rest : `u:secret@${rest}`;
    const refusal = refusalOf(`postgres://${address}`);
    expect(refusal).toContain('DATABASE_URL ');
    expect(refusal).toContain(reason);
    expect(refusal).not.toContain('secret');
  });

  it.each([':5432/d', 'a:x/d'])('a fault of its only host, which needs no number: %s', (rest) => {
    expect(() => postgresAddress(`postgres://${rest}`)).toThrow(/(empty host|1 to 65535)$/);
  });

  it('no host but something that may be a password', () => {
    expect(refusalOf('postgres://user:secret')).not.toContain('secret');
  });
});

function refusalOf(DATABASE_URL: string): string {
  try {
    readSettings({ DATABASE_URL });
    return '';
  } catch (error) {
    return String(error);
  }
}
