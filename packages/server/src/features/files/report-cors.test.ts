import { expect, test } from 'vitest';
import { reportCors, reportKey } from './report-cors.ts';

const KEY = reportKey('secret', '/api/files/reports/7/');

test('the key is of one report and one installation', () => {
  expect(KEY).toMatch(/^[\w-]{22}$/);
  expect(reportKey('secret', '/api/files/reports/7/')).toBe(KEY);
  expect(reportKey('secret', '/api/files/reports/8/')).not.toBe(KEY);
  expect(reportKey('other', '/api/files/reports/7/')).not.toBe(KEY);
});

const ALLOWED = { 'access-control-allow-origin': 'null', vary: 'origin' };
const REFUSED = { vary: 'origin' };

test('only the pages of a report read its data', () => {
  expect(reportCors('application/json', { origin: 'null', key: KEY }, KEY)).toEqual(ALLOWED);
  for (const key of [null, '', 'x', KEY.slice(1), reportKey('secret', '/api/files/reports/8/')]) {
    expect(reportCors('application/json', { origin: 'null', key }, KEY)).toEqual(REFUSED);
  }
});

test.each(['text/javascript; charset=utf-8', 'text/css', 'font/woff2', 'application/json'])(
  'a page with an origin reads nothing: %s',
  (type) => {
    for (const origin of [undefined, 'https://other.example', 'http://localhost:3000', 'NULL']) {
      expect(reportCors(type, { origin, key: KEY }, KEY)).toEqual(REFUSED);
    }
  },
);

test.each(['text/javascript; charset=utf-8', 'text/css', 'font/woff2'])('modules and fonts load %s', (type) => {
  expect(reportCors(type, { origin: 'null', key: null }, KEY)).toEqual(ALLOWED);
});
