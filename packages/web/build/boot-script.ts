import type { Plugin } from 'vite';

const ENTRY = /\s*<script type="module"[^>]* src="(?<path>[^"]+)"><\/script>/;
const PRELOADS = /\s*<link rel="modulepreload"[^>]* href="(?<path>[^"]+)">/g;

/**
 * Starts the interface from an inline script, which the page's policy allows by its hash: a script that somebody got into
 * the page has none, wherever it comes from. It is at the end of the body, since what it adds does not wait for the rest
 * of the page. It adds an element: Chromium takes what an inline script imports for a part of the markup.
 */
export const bootScript = (): Plugin => ({
  name: 'boot-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(page) {
      const entry = ENTRY.exec(page)?.groups?.['path'];
      if (entry === undefined) throw new Error('The page has no module to start with');
      const preloads = Array.from(page.matchAll(PRELOADS), ({ groups }) => groups!['path']!);
      return page
        .replace(ENTRY, '')
        .replaceAll(PRELOADS, '')
        .replace('</body>', `  <script data-entry="${entry}">${bootText(entry, preloads)}</script>\n  </body>`);
    },
  },
});

const bootText = (entry: string, preloads: readonly string[]): string =>
  [
    'const add=(name,fields)=>document.head.append(Object.assign(document.createElement(name),{crossOrigin:"",...fields}));',
    `add("script",{type:"module",src:${JSON.stringify(entry)}});`,
    `for(const href of ${JSON.stringify(preloads)})add("link",{rel:"modulepreload",href})`,
  ].join('');
