import { createHash } from 'node:crypto';

export const STYLE = `
:root{color-scheme:light dark;--ground:light-dark(#f6f7f9,#0e1116);--surface:light-dark(#fff,#151a21);--sunken:light-dark(#eef0f3,#0a0d11);--line:light-dark(#dfe3e8,#2a313c);--ink:light-dark(#171b21,#e8ecf1);--ink-2:light-dark(#4b5563,#a9b3c0);--accent:light-dark(#4a43d6,#a5a1ff);--failed:light-dark(#bf1d2c,#ff7b7b);--passed:light-dark(#12733b,#4cc474);--flaky:light-dark(#8a5300,#f0b429);--skipped:light-dark(#5b6572,#94a0ae);--blue:light-dark(#0b63b8,#6cb6ff)}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.45 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif}
main{max-width:75rem;margin:0 auto;padding:1rem}
h1{margin:0;font-size:1.25rem;overflow-wrap:anywhere}
dl{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:.5rem 0 1rem}
dl>div{display:flex;gap:.4rem;min-width:0}
dt,.about,.file,.time,footer{color:var(--ink-2)}
dd{margin:0;overflow-wrap:anywhere}
.tools{display:flex;flex-wrap:wrap;gap:.5rem;margin-bottom:.75rem}
.tools button,.tools input{min-height:2rem;padding:0 .75rem;border:1px solid var(--line);border-radius:1rem;background:var(--surface);color:inherit;font:inherit}
.tools button[aria-pressed=true]{border-color:var(--accent);color:var(--accent);font-weight:600}
.tools input{flex:1 1 14rem;min-width:0;border-radius:.375rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
#results{border:1px solid var(--line);border-radius:.625rem;background:var(--surface);overflow:hidden}
.result{border-bottom:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 3.4rem}
.line{display:grid;grid-template-columns:6.5rem minmax(0,1fr) auto;gap:0 .75rem;padding:.5rem .75rem}
summary.line{cursor:pointer;list-style:none}
summary.line::-webkit-details-marker{display:none}
summary.line .title::after{content:' ▸' / '';color:var(--ink-2)}
[open]>summary.line .title::after{content:' ▾' / ''}
summary.line:hover{background:var(--sunken)}
.title{overflow-wrap:anywhere}
.file{grid-column:2/-1;font-size:.8125rem;overflow-wrap:anywhere}
.tag{padding:0 .3rem;border-radius:3px;background:var(--sunken)}
.mark{font-weight:600}
.mark.failed{color:var(--failed)}.mark.passed{color:var(--passed)}.mark.flaky{color:var(--flaky)}.mark.skipped,.mark.other{color:var(--skipped)}
.more{padding:0 .75rem .75rem}
.more h2{margin:.75rem 0 .25rem;font-size:.875rem}
pre{margin:0;padding:.6rem .75rem;border-radius:.375rem;background:var(--sunken);font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere}
img{display:block;max-width:100%;max-height:30rem;margin-top:.5rem;border:1px solid var(--line);border-radius:.375rem}
.more ul{margin:0;padding-left:1.25rem}
.more li{overflow-wrap:anywhere}
.more li.failed{color:var(--failed)}
#more{display:block;width:100%;min-height:2.5rem;border:0;background:var(--surface);color:var(--accent);font:inherit;cursor:pointer}
footer{padding:1rem 0;font-size:.8125rem}
.bold{font-weight:700}.dim{opacity:.72}.italic{font-style:italic}.underline{text-decoration:underline}.struck{text-decoration:line-through}
.red{color:var(--failed)}.green{color:var(--passed)}.yellow{color:var(--flaky)}.blue,.cyan{color:var(--blue)}.magenta{color:var(--accent)}.grey{color:var(--ink-2)}
.on-black{background:#24292f;color:#fff}.on-red{background:#b3202c;color:#fff}.on-green{background:#1a7f37;color:#fff}.on-yellow{background:#b58900;color:#000}.on-blue{background:#0b5cad;color:#fff}.on-magenta{background:#8b3fbf;color:#fff}.on-cyan{background:#147a86;color:#fff}.on-white{background:#d7dbe0;color:#000}
@media (width<40rem){main{padding:.75rem}.line{grid-template-columns:minmax(0,1fr) auto}.title,.file{grid-column:1/-1}}
@media print{.tools{display:none}.result{content-visibility:visible}}
`;

/**
 * Filters the results that are elements, and makes elements of the others some at a time. Text of the run becomes text
 * here, never markup or code.
 */
export const SCRIPT = `
const SOME=300,byId=id=>document.getElementById(id);
const told=[...document.querySelectorAll('details.result')].map(row=>({row,kind:row.dataset.kind,text:row.firstElementChild.textContent.toLowerCase()}));
const plain=[...document.querySelectorAll('script[type="application/json"]')].flatMap(list=>JSON.parse(list.textContent)).map(cells=>({cells,kind:cells[0],text:cells.flat().slice(1).join(' ').toLowerCase()}));
const all=[...told,...plain],buttons=[...document.querySelectorAll('button[data-kind]')],search=byId('search'),list=byId('list'),more=byId('more');
const make=(name,kind,...inner)=>{const made=document.createElement(name);made.className=kind;made.append(...inner);return made};
const isolate=text=>make('bdi','',text);
const rowOf=({cells:[kind,label,title,place,tags,time,why]})=>make('div','result',make('div','line',make('span','mark '+kind,label),' ',make('span','title',isolate(title)),' ',make('span','time',time),' ',make('span','file',isolate(place),...tags.flatMap(tag=>[' ',make('span','tag',isolate(tag))])),...(why?[make('span','file',isolate(why))]:[])));
let kind='all',found=[],written=0;
const showMore=()=>{list.append(...found.slice(written,written+SOME).map(rowOf));written=Math.min(found.length,written+SOME);more.hidden=written===found.length;more.textContent='Show more of '+(found.length-written)+' results'};
const apply=()=>{const words=search.value.toLowerCase().split(/\\s+/).filter(Boolean);const is=one=>(kind==='all'||one.kind===kind)&&words.every(word=>one.text.includes(word));let count=0;for(const one of told){const isIn=is(one);if(one.row.hidden===isIn)one.row.hidden=!isIn;if(isIn)count++}found=plain.filter(is);count+=found.length;written=0;list.replaceChildren();showMore();byId('shown').textContent=count===all.length?'':count+' of '+all.length+' results';byId('none').hidden=count>0;for(const button of buttons)button.setAttribute('aria-pressed',String(button.dataset.kind===kind))};
for(const button of buttons){const count=all.filter(one=>button.dataset.kind==='all'||one.kind===button.dataset.kind).length;button.prepend(count+' ');button.hidden=count===0&&button.dataset.kind!=='all';button.addEventListener('click',()=>{kind=button.dataset.kind;apply()})}
more.addEventListener('click',()=>{const first=written;showMore();const row=list.children[first];if(row){row.tabIndex=-1;row.focus()}});
let waiting=0;search.addEventListener('input',()=>{cancelAnimationFrame(waiting);waiting=requestAnimationFrame(apply)});
document.querySelector('.tools').hidden=false;apply();
`;

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The two texts above and pictures within the file: nothing else runs or loads. */
export const POLICY = `default-src 'none'; script-src ${sourceOf(SCRIPT)}; style-src ${sourceOf(STYLE)}; img-src data:; base-uri 'none'; form-action 'none'`;
