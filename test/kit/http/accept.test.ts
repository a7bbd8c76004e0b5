import { describe, expect, it } from 'vitest';
import { preferred } from '../../../src/kit/http/accept.ts';

const json = 'application/json';
const html = 'text/html';

describe('of JSON and HTML a client prefers', () => {
  it.each([
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['text/*', html],
    ['TEXT/HTML', html],
    ['text/html, application/json', html],
    ['text/html;q=0.8, application/json;q=0.9', json],
    ['text/html;q=0.9;q=0.1, application/json;q=0.5', html],
    ['*/*, text/html;q=0.5', json],
    ['*/*;q=0.5, text/html', html],
    ['application/json;q=0, */*', html],
    ['text/html;q=0, text/*', undefined],
    ['text/html;q=, application/json', html],
    ['text/html; q="0.2", application/json;q=0.1', html],
    ['text/html;level=1, application/json;q=0.1', json],
    ['text/html;q=x', undefined],
    ['image/png', undefined],
    ['html', undefined],
  ])('%s: %s', (accept, expected) => {
    expect(preferred(accept, [json, html])).toBe(expected);
  });
});
