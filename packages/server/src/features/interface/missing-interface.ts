import { html, page } from '../../http/html.ts';

/** Stands where the interface would be when it was not built. */
export const missingInterfacePage = page(
  'Assay',
  html`<main>
    <h1>The web interface is not built</h1>
    <p>The service works, but the pages that belong here are missing. In the repository, build them with</p>
    <pre><code>npm run build:web</code></pre>
    <p>and start the service again. Programs find the interface for them at <a href="/api/openapi.json">OpenAPI</a>.</p>
  </main>`,
);
