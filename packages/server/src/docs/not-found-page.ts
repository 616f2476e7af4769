import { html, page } from './html.ts';

export const notFoundPage = page(
  'Not found · Assay',
  html`<main>
    <h1>There is nothing here</h1>
    <p>The address may be mistyped, or what it showed was deleted.</p>
    <p><a href="/">Start page</a> · <a href="/docs">API documentation</a></p>
  </main>`,
);
