/** Where the worker of Playwright is, beside ours, which has its name. */
export const STOCK_WORKER = 'sw.stock.js';

/**
 * Runs Playwright's service worker behind a guard. That worker answers requests on the origin of the session from
 * inside of a trace, and a trace is hostile: what it serves as a page may run nothing but Playwright's own script, and
 * a file of the trace is never a page of this origin. It is also asked to open traces by the pages of the viewer, which
 * take files that are dropped on them.
 */
export const guardedWorker = `
const scope = new URL('./', self.location.href);
const SNAPSHOT = "sandbox allow-same-origin allow-scripts; form-action 'none'; frame-ancestors 'self'";
const FILE = "sandbox; default-src 'none'; frame-ancestors 'self'";

const isStored = (trace) => {
  try {
    const url = new URL(trace, scope);
    return url.origin === scope.origin && url.pathname.startsWith('/api/files/') && /\\.zip$/i.test(url.pathname) &&
      url.search === '' && url.hash === '';
  } catch {
    return false;
  }
};

const guarded = (request, response) => {
  // What came from the server has its policy already.
  if (request.mode !== 'navigate' || response.type !== 'default') return response;
  const isSnapshot = new URL(request.url).pathname.startsWith(scope.pathname + 'snapshot/');
  const headers = new Headers(response.headers);
  headers.append('content-security-policy', isSnapshot ? SNAPSHOT : FILE);
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

self.addEventListener('fetch', (event) => {
  const { searchParams, href } = new URL(event.request.url);
  if (!href.startsWith(scope.href) || searchParams.getAll('trace').every(isStored)) return;
  // The server refuses its own pages better.
  if (event.request.mode === 'navigate' && /^[\\w.]*$/.test(href.slice(scope.href.length).split('?')[0])) return;
  event.stopImmediatePropagation();
  const error = 'Only traces that are stored on this server can be opened here.';
  event.respondWith(new Response(JSON.stringify({ error }), {
    status: 403,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  }));
});

const respondWith = FetchEvent.prototype.respondWith;
FetchEvent.prototype.respondWith = function (answer) {
  respondWith.call(this, Promise.resolve(answer).then((response) => guarded(this.request, response)));
};

importScripts('./${STOCK_WORKER}');
`.trimStart();
