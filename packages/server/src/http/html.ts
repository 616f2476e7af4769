import { createHash } from 'node:crypto';

/** Markup that is safe to send: every value put into it was escaped. */
export interface Html {
  readonly markup: string;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

export const html = (strings: TemplateStringsArray, ...values: readonly (Html | string | number)[]): Html => ({
  markup: String.raw(
    { raw: strings },
    ...values.map((value) => (typeof value === 'object' ? value.markup : escape(String(value)))),
  ),
});

/** What a content security policy names the inline scripts of a page by. */
export const inlineScriptHashes = (page: string): string[] =>
  Array.from(
    page.matchAll(/<script(?![^>]* src=)[^>]*>(?<text>.*?)<\/script>/gs),
    ({ groups }) => `'sha256-${createHash('sha256').update(groups!['text']!).digest('base64')}'`,
  );

export const page = (title: string, body: Html): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${html`<title>${title}</title>`.markup}<style>${STYLE}</style></head><body>${body.markup}</body></html>`;

const STYLE = `
:root{--ink:#1c2024;--quiet:#60646c;--line:#e0e3e8;--ground:#fff;--raised:#f7f8fa;--accent:#0b62d6}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a0a6b0;--line:#2d323b;--ground:#121417;--raised:#1a1d22;--accent:#7cb3ff}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
main{padding:2rem clamp(1rem,4vw,3.5rem) 6rem;max-width:64rem}
h1{margin:.2rem 0 1rem;font-size:1.8rem}
p{margin:.4rem 0}a{color:var(--accent)}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
pre{padding:1rem;background:var(--raised);border:1px solid var(--line);border-radius:8px;overflow-x:auto}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;
