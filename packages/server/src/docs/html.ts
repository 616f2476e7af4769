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

export const join = (parts: readonly Html[]): Html => ({ markup: parts.map((part) => part.markup).join('') });

export const page = (title: string, body: Html): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${html`<title>${title}</title>`.markup}<style>${STYLE}</style></head><body>${body.markup}</body></html>`;

const STYLE = `
:root{--ink:#1c2024;--quiet:#60646c;--line:#e0e3e8;--ground:#fff;--raised:#f7f8fa;--accent:#0b62d6;--get:#0b62d6;--post:#1a7f4b;--put:#8a5a00;--delete:#c4281c}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a0a6b0;--line:#2d323b;--ground:#121417;--raised:#1a1d22;--accent:#7cb3ff;--get:#7cb3ff;--post:#5fce97;--put:#e6b450;--delete:#ff8a80}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--ground);display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem 2rem 1.5rem;border-right:1px solid var(--line);background:var(--raised);font-size:14px}
nav a{display:block;padding:.15rem 0;color:inherit;text-decoration:none}
nav a:hover,nav a:focus-visible{color:var(--accent)}
nav strong{display:block;margin-top:1.1rem;color:var(--quiet);font-size:12px;text-transform:uppercase;letter-spacing:.05em}
.brand{font-size:1.15rem;font-weight:650}.brand small{font-weight:400;color:var(--quiet)}
main{padding:2rem clamp(1rem,4vw,3.5rem) 6rem;max-width:64rem}
body:not(:has(nav)){display:block}
h1{margin:.2rem 0 1rem;font-size:1.8rem}h2{margin:3rem 0 .5rem;font-size:1.3rem}h3{margin:0 0 .5rem;font-size:1rem;font-weight:600;overflow-wrap:anywhere}
section{padding:1.2rem 0;border-top:1px solid var(--line)}
p{margin:.4rem 0}a{color:var(--accent)}
.quiet{color:var(--quiet)}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
pre{padding:1rem;background:var(--raised);border:1px solid var(--line);border-radius:8px;overflow-x:auto}
.method{display:inline-block;min-width:4.2rem;font:600 12px/1.6 ui-monospace,monospace}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.delete{color:var(--delete)}
table{width:100%;margin:.4rem 0 .8rem;border-collapse:collapse;font-size:14px}
th,td{padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400;overflow-wrap:anywhere}
th{width:30%}td:nth-child(2){width:28%}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(max-width:800px){body{display:block}nav{position:static;height:auto;max-height:45vh;border:0;border-bottom:1px solid var(--line)}th,td{display:block;width:auto!important;border:0;padding:.05rem 0}tr{display:block;padding:.4rem 0;border-bottom:1px solid var(--line)}}
`;
