import { describe, expect, it } from 'vitest';
import { preferred, preferredInUtf8 } from '../../../src/kit/http/accept.ts';

const json = 'application/json';
const html = 'text/html';

describe('of JSON and HTML a client prefers', () => {
  it.each([
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['text/*', html],
    ['*/html', html],
    ['TEXT/HTML', html],
    ['*/*, text/html', html],
    ['*/*, text/*', html],
    ['text/*, application/json', json],
    ['text/html, application/json', html],
    ['text/html, application/json, text/html', html],
    ['text/html;q=0.8, application/json;q=0.9', json],
    ['text/html;q=0.9;q=0.1, application/json;q=0.5', html],
    ['text/html;q=0.9, text/html;q=0.1, application/json;q=0.5', html],
    ['text/html;q=0.1, text/html;q=0.9, application/json;q=0.5', html],
    ['*/*, text/html;q=0.5', json],
    ['*/*;q=0.5, text/html', html],
    ['text/*;q=0.1, */html;q=0.9, application/json;q=0.5', json],
    ['*/html;q=0.1, */*;q=0.9', json],
    ['application/json;q=0, */*', html],
    ['text/html;q=0, text/*', undefined],
    ['text/html;q=0.001', html],
    ['text/html;q=, application/json', html],
    ['text/html; q="0.2", application/json;q=0.1', html],
    ['text/html;level=1, application/json;q=0.1', json],
    ['text/html;level=, application/json;q=0.1', html],
    ['text/html;q=x', undefined],
    ['image/png', undefined],
    ['html', undefined],
  ])('%s: %s', (accept, expected) => {
    expect(preferred(accept, [json, html])).toBe(expected);
  });
});

describe('of types with parameters a client prefers', () => {
  const levels = [json, 'text/html;level=1', html];
  it.each([
    ['text/html;level=1', 'text/html;level=1'],
    ['text/html;level=2, */*;q=0.1', json],
    ['text/html', 'text/html;level=1'],
    ['text/html;level=1;q=0.2, text/html;q=0.9', html],
    ['text/html;level=1;q=0.9, text/html;q=0.2, application/json;q=0.5', 'text/html;level=1'],
    ['text/html;level=1;q=0.2, text/html;q=0.3, application/json;q=0.5', json],
    ['text/html;q=0.9, text/html;level=1;q=0.2, application/json;q=0.5', html],
  ])('%s: %s', (accept, expected) => {
    expect(preferred(accept, levels)).toBe(expected);
  });
});

describe('of types in UTF-8 a client prefers', () => {
  it.each([
    [undefined, json],
    ['', json],
    ['text/*', html],
    ['text/html;charset=utf-8', html],
    ['TEXT/HTML; charset="UTF-8"', html],
    ['text/html;charset=utf8, application/json;q=0.1', html],
    ['text/html;charset=utf16, application/json;q=0.1', json],
    ['text/html;charset=latin1', undefined],
    ['text/html;level=1', undefined],
    ['text/html;q=0, application/json;charset=utf-8;q=0, */*', undefined],
  ])('%s: %s', (accept, expected) => {
    expect(preferredInUtf8(accept, [json, html])).toBe(expected);
  });
});
