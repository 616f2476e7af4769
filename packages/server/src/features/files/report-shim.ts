import { constants } from 'node:zlib';
import { type Insertion, deflatePiece } from '../../blobs/seamed-gzip.ts';
import { REPORT_KEY_PARAMETER } from './report-cors.ts';

/**
 * Runs before everything else in the HTML of a report. Without an origin, a page that as much as reads `localStorage`
 * fails; reports do. Each part steps in only where the browser refuses, and keeps what it is given until the page goes.
 * Monocart's links to the public trace viewer, which could not read a trace from here, open ours.
 */
const SOURCE = `
(() => {
  const refuses = (read) => {
    try { read(); return false; } catch { return true; }
  };
  const define = (on, name, descriptor) => Object.defineProperty(on, name, { configurable: true, ...descriptor });

  const createStorage = () => {
    const items = new Map();
    const methods = {
      getItem: (key) => items.get(String(key)) ?? null,
      setItem: (key, value) => void items.set(String(key), String(value)),
      removeItem: (key) => void items.delete(String(key)),
      clear: () => items.clear(),
      key: (index) => [...items.keys()][index] ?? null,
      get length() { return items.size; },
      [Symbol.toStringTag]: 'Storage',
    };
    return new Proxy(Object.create(methods), {
      get: (target, key) => (key in target ? target[key] : items.get(key)),
      set: (target, key, value) => (key in target || items.set(key, String(value)), true),
      has: (target, key) => key in target || items.has(key),
      deleteProperty: (_target, key) => (items.delete(key), true),
      defineProperty: (_target, key, { value }) => (items.set(key, String(value)), true),
      ownKeys: () => [...items.keys()],
      getOwnPropertyDescriptor: (_target, key) =>
        items.has(key) ? { value: items.get(key), writable: true, enumerable: true, configurable: true } : undefined,
    });
  };
  for (const name of ['localStorage', 'sessionStorage']) {
    if (refuses(() => window[name])) define(window, name, { value: createStorage() });
  }

  if (refuses(() => document.cookie)) {
    const cookies = new Map();
    define(document, 'cookie', {
      get: () => Array.from(cookies, ([name, value]) => name + '=' + value).join('; '),
      set: (text) => {
        const [pair, ...attributes] = String(text).split(';');
        const [, name, value] = /^\\s*([^=]*?)\\s*(?:=(.*))?$/s.exec(pair);
        const isPast = attributes.some((attribute) => {
          const [key, given] = attribute.trim().split('=');
          return /^max-age$/i.test(key) ? Number(given) <= 0 : /^expires$/i.test(key) && Date.parse(given) <= Date.now();
        });
        if (isPast) cookies.delete(name);
        else cookies.set(name, (value ?? '').trim());
      },
    });
  }

  if ('serviceWorker' in navigator && refuses(() => navigator.serviceWorker.controller)) {
    const register = () => Promise.reject(new DOMException('A report cannot have a service worker', 'SecurityError'));
    const container = Object.assign(new EventTarget(), {
      controller: null,
      ready: new Promise(() => {}),
      register,
      getRegistration: async () => undefined,
      getRegistrations: async () => [],
      startMessages() {},
    });
    define(navigator, 'serviceWorker', { value: container });
  }

  const { key } = document.currentScript.dataset;
  const isStored = (url) => url?.host === location.host && url.pathname.startsWith('/api/files/');
  const withKey = (address) => {
    const url = URL.parse(address, document.baseURI);
    if (!isStored(url)) return address;
    url.searchParams.set('${REPORT_KEY_PARAMETER}', key);
    return url.href;
  };
  if (self.origin === 'null') {
    const { fetch } = window;
    window.fetch = (input, init) =>
      fetch(input instanceof Request ? new Request(withKey(input.url), input) : withKey(input), init);
    const { open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (method, address, ...rest) {
      return open.call(this, method, withKey(address), ...rest);
    };
  }

  const openTraceHere = ({ target }) => {
    const link = target.closest?.('a[href^="https://trace.playwright.dev/"]');
    const trace = link && new URL(link.href).searchParams.get('trace');
    if (trace && isStored(URL.parse(trace))) link.href = '/trace-viewer/?trace=' + encodeURIComponent(trace);
  };
  for (const type of ['click', 'auxclick']) addEventListener(type, openTraceHere, true);
})();
`;

const COMPACT = SOURCE.replace(/\n\s*/g, '\n').trim();

const SCRIPT = Buffer.from(`${COMPACT}</script>`);
const DEFLATED_SCRIPT = deflatePiece(SCRIPT);

/** The element that is put into a page of a report; its length does not depend on the key. */
export const reportShim = (key: string): Insertion => {
  const tag = Buffer.from(`<script data-key="${key}">`);
  return {
    plain: Buffer.concat([tag, SCRIPT]),
    deflated: Buffer.concat([deflatePiece(tag, constants.Z_NO_COMPRESSION), DEFLATED_SCRIPT]),
  };
};
