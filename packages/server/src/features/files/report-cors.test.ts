import { expect, test } from 'vitest';
import { reportCors, reportKey } from './report-cors.ts';

const KEY = reportKey('secret', '/api/files/reports/7/');

test('the key is of one report and one installation', () => {
  expect(KEY).toMatch(/^[\w-]{22}$/);
  expect(reportKey('secret', '/api/files/reports/7/')).toBe(KEY);
  expect(reportKey('secret', '/api/files/reports/8/')).not.toBe(KEY);
  expect(reportKey('other', '/api/files/reports/7/')).not.toBe(KEY);
});

test('only the pages of a report read its data', () => {
  expect(reportCors('application/json', KEY, KEY)).toEqual({ 'access-control-allow-origin': '*' });
  for (const key of [undefined, null, '', 'x', KEY.slice(1), reportKey('secret', '/api/files/reports/8/')]) {
    expect(reportCors('application/json', key, KEY)).toEqual({});
  }
});

test.each(['text/javascript; charset=utf-8', 'text/css', 'font/woff2'])('modules and fonts load %s', (type) => {
  expect(reportCors(type, undefined, KEY)).toEqual({ 'access-control-allow-origin': '*' });
});
