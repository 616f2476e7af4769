import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { reportShim } from './report-shim.ts';

const KEY = 'k'.repeat(22);
const SOURCE = /^<script data-key="[^"]*">(?<source>.*)<\/script>$/s.exec(reportShim(KEY).plain.toString())!.groups![
  'source'
]!;

const runIn = vm.compileFunction('with (window) { return eval(code); }', ['window', 'code']);

/** A page that refuses what a browser refuses to a page without an origin. */
const openPage = (refusing: boolean) => {
  const refuse = {
    configurable: true,
    get: () => {
      throw new Error('SecurityError');
    },
  };
  const fetched: string[] = [];
  const document = { currentScript: { dataset: { key: KEY } }, baseURI: 'http://h/api/files/reports/7/index.html' };
  const navigator = { serviceWorker: { controller: null } };
  const window: Record<string, unknown> = {
    document,
    navigator,
    location: { host: 'h' },
    origin: refusing ? 'null' : 'http://h',
    localStorage: 'real',
    sessionStorage: 'real',
    fetch: (address: string) => fetched.push(address),
    XMLHttpRequest: class {
      open(_method: string, address: string) {
        fetched.push(address);
      }
    },
    addEventListener() {},
  };
  window['window'] = window['self'] = window;
  if (refusing) {
    Object.defineProperty(window, 'localStorage', refuse);
    Object.defineProperty(window, 'sessionStorage', refuse);
    Object.defineProperty(document, 'cookie', refuse);
    Object.defineProperty(navigator, 'serviceWorker', refuse);
  } else Object.assign(document, { cookie: 'real' });
  runIn(window, SOURCE);
  return { fetched, run: (code: string): unknown => JSON.parse(JSON.stringify(runIn(window, code) ?? null)) };
};

test('it cannot end its own element, and its length does not depend on the key', () => {
  expect(SOURCE.toLowerCase()).not.toMatch(/<\/script|<!--/);
  expect(reportShim('a'.repeat(22)).plain.length).toBe(reportShim(KEY).plain.length);
});

describe('without an origin', () => {
  test.each([
    ['localStorage.getItem("a")', null],
    ['localStorage.a === undefined', true],
    ['localStorage.a = 1; [localStorage.a, localStorage.getItem("a"), window.localStorage["a"]]', ['1', '1', '1']],
    [
      'localStorage.setItem("a", null); [localStorage.length, localStorage.key(0), localStorage.key(1)]',
      [1, 'a', null],
    ],
    ['localStorage.b = 2; localStorage.setItem("c", 3); Object.keys(localStorage)', ['b', 'c']],
    ['localStorage.b = 2; [JSON.stringify(localStorage), { ...localStorage }]', ['{"b":"2"}', { b: '2' }]],
    ['localStorage.a = 1; delete localStorage.a; ["a" in localStorage, "getItem" in localStorage]', [false, true]],
    [
      'localStorage.a = 1; localStorage.removeItem("a"); localStorage.b = 1; localStorage.clear(); localStorage.length',
      0,
    ],
    ['localStorage.setItem("", ""); localStorage.getItem("")', ''],
    ['localStorage.length = 5; localStorage.length', 0],
    ['localStorage.a = 1; sessionStorage.getItem("a")', null],
    ['String(sessionStorage)', '[object Storage]'],
    ['document.cookie = "a=b; path=/"; document.cookie = "c = d=e"; document.cookie', 'a=b; c=d=e'],
    ['document.cookie = "a=b"; document.cookie = "a=; Max-Age=0"; document.cookie', ''],
    ['document.cookie = "a=b"; document.cookie = "a=; expires=Thu, 01 Jan 1970 00:00:00 GMT"; document.cookie', ''],
    ['"serviceWorker" in navigator && navigator.serviceWorker.controller', null],
  ])('%s', (code, expected) => {
    expect(openPage(true).run(code)).toEqual(expected);
  });

  test('it shows its key to the stored files and to nothing else', () => {
    const page = openPage(true);
    page.run('fetch("data/a.json"); fetch("https://other/api/files/x"); fetch("/api/projects"); fetch("http://")');
    page.run('new XMLHttpRequest().open("GET", "b.json?q=1")');
    expect(page.fetched).toEqual([
      `http://h/api/files/reports/7/data/a.json?report-key=${KEY}`,
      'https://other/api/files/x',
      '/api/projects',
      'http://',
      `http://h/api/files/reports/7/b.json?q=1&report-key=${KEY}`,
    ]);
  });
});

test('where the browser refuses nothing, nothing is replaced', () => {
  const page = openPage(false);
  expect(page.run('[localStorage, sessionStorage, document.cookie]')).toEqual(['real', 'real', 'real']);
  page.run('fetch("data/a.json")');
  expect(page.fetched).toEqual(['data/a.json']);
});
