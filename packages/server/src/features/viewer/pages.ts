import { type Html, html, page } from '../../http/html.ts';
import { openTraceScript } from './open-trace-script.ts';

const EXAMPLE = '/api/files/traces/7/login.zip';
const LONGEST_SHOWN = 500;

const OWN_STYLE: Html = {
  markup: `<style>
.command{display:flex;gap:.5rem;align-items:stretch;flex-wrap:wrap}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
.command pre{flex:1 1 20rem;margin:0}
button,.button{font:inherit;padding:.5rem 1rem;border:1px solid var(--line);border-radius:8px;background:var(--raised);color:var(--ink);text-decoration:none;cursor:pointer}
.button{display:inline-block;margin:.6rem 0}
[hidden]{display:none!important}
</style>`,
};

const otherWays = (path: string, url: string): Html =>
  html`<p><a class="button" href="${path}" download>Download the trace</a></p>
    <p>Or open it with Playwright on your machine:</p>
    <div class="command">
      <pre><code>npx playwright show-trace ${url}</code></pre>
      <button type="button" hidden>Copy</button>
    </div>`;

/** Goes on to the viewer where it can run; elsewhere says why not, and how to see the trace all the same. */
export const openTracePage = (path: string, url: string): string =>
  page(
    'Trace · Assay',
    html`${OWN_STYLE}
      <main hidden data-trace="${path}">
        <h1>The trace viewer cannot run here</h1>
        <p data-reason="insecure">It needs HTTPS or localhost, and this page was loaded over plain HTTP.</p>
        <p data-reason="framed">
          It is not allowed inside of this frame. <a href="" target="_blank">Open it in a tab of its own</a>.
        </p>
        <p data-reason="unsupported">
          It needs service workers, which this browser does not offer here; private windows often lack them.
        </p>
        ${otherWays(path, url)}
      </main>
      <noscript>
        <main>
          <h1>The trace viewer needs JavaScript</h1>
          ${otherWays(path, url)}
        </main>
      </noscript>
      ${{ markup: `<script>${openTraceScript}</script>` }}`,
  );

/** For an installation without the files of the viewer. */
export const missingViewerPage = (path: string | null, url: string): string =>
  page(
    'Trace · Assay',
    html`${OWN_STYLE}
      <main>
        <h1>There is no trace viewer here</h1>
        <p>This installation of Assay came without the files of Playwright’s trace viewer.</p>
        ${path === null ? '' : otherWays(path, url)}
      </main>`,
  );

export const foreignTracePage = (value: string): string =>
  page(
    'Trace refused · Assay',
    html`${OWN_STYLE}
      <main>
        <h1>This trace is not stored here</h1>
        <p>The viewer opens only traces of this server, by a path such as <code>${EXAMPLE}</code>. It was asked for:</p>
        <pre><code>${value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value}</code></pre>
        <p>To look at a trace from elsewhere, run <code>npx playwright show-trace</code> with its file or address.</p>
      </main>`,
  );

export const noTracePage: string = page(
  'Trace viewer · Assay',
  html`<main>
    <h1>Which trace?</h1>
    <p>Traces open from the test they belong to, or from the report they came with.</p>
    <p>A link to one names its path on this server: <code>/trace-viewer/?trace=${EXAMPLE}</code></p>
    <p><a href="/">Start page</a></p>
  </main>`,
);
