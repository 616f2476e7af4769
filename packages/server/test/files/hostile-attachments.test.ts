import { type Browser, type Page, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { CHROMIUM_FLAGS } from '../../../../scripts/chromium.ts';
import { sharedServer, type TestServer } from '../server.ts';
import { type Part, filePath, rawRequest, textFields, upload } from './form.ts';
import { pngOf } from './pictures.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await sharedServer();
  browser = await chromium.launch({ executablePath: inject('chromium'), args: CHROMIUM_FLAGS });
});
afterAll(() => browser.close());

/** Tells the service that it has run, and with whose cookies. */
const SCRIPT = `fetch('/ran?' + document.cookie); new Image().src = '/ran?' + document.cookie; document.title = 'ran'`;
const HTML = `<!doctype html><title>page</title><script>${SCRIPT}</script><img src=x onerror="${SCRIPT}"><svg onload="${SCRIPT}"></svg><iframe srcdoc="<script>${SCRIPT}</script>"></iframe><meta http-equiv=refresh content="0;url=/ran?refresh"><form action=/ran><input name=a></form><object data="javascript:${SCRIPT}"></object><link rel=stylesheet href=/ran?style>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="${SCRIPT}"><script>${SCRIPT}</script><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;${SCRIPT}&lt;/script&gt;"/></foreignObject><image xlink:href="/ran?svg"/></svg>`;
const XSLT = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`;
const PDF = `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n${HTML}`;
const POLYGLOT = Buffer.concat([Buffer.from('GIF89a/*'), Buffer.alloc(8), Buffer.from(`*/=1;${SCRIPT}//${HTML}`)]);

const TYPES = [
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/pdf',
  'text/javascript',
  'image/png',
  'text/plain',
  'application/octet-stream',
  'multipart/x-mixed-replace',
  'text/html;charset=utf-7',
];
const CONTENTS: readonly (readonly [name: string, content: string | Uint8Array])[] = [
  ['page.html', HTML],
  ['drawing.svg', SVG],
  ['data.xml', XSLT],
  ['paper.pdf', PDF],
  ['picture.png', HTML],
  ['both.gif', POLYGLOT],
  ['script.js', SCRIPT],
  ['picture.png', Buffer.concat([pngOf(4, 4), Buffer.from(HTML)])],
];

it('of any type and content run nothing on the origin of the session, opened or embedded', async () => {
  const files = TYPES.flatMap((type) =>
    CONTENTS.map(([filename, content]): Part => ({ name: 'attachment_0', content, filename, type })),
  );
  const { testRunId } = await upload(server, [...textFields(), ...files]);
  const { testCases } = await server.client.getRun({ params: { id: testRunId } });
  const { attachments } = await server.client.getTestCase({ params: { id: testCases[0]!.id } });
  expect(attachments).toHaveLength(files.length);

  const context = await browser.newContext({ acceptDownloads: false });
  await context.addCookies([{ name: 'told', value: 'secret', url: server.url }]);
  const ran: string[] = [];
  // What the policy of a document forbids is told as a request, but has no response.
  context.on('response', (response) => {
    if (new URL(response.url()).pathname === '/ran') ran.push(`${response.frame().url()} asked for ${response.url()}`);
  });
  const page = await context.newPage();
  const paths = await withDifferentAnswers(attachments.map(({ path }) => path));
  for (const path of paths) await openAlone(page, path, ran);
  await embedAll(page, paths);
  expect(ran).toEqual([]);
  await context.close();
});

/** What a browser does with an attachment depends on its answer alone, which many types have in common. */
const withDifferentAnswers = async (paths: readonly string[]): Promise<string[]> => {
  const found = new Map<string, string>();
  for (const path of paths) {
    const { status, headers, body } = await rawRequest(server, filePath(path), { 'sec-fetch-dest': 'document' });
    const { 'x-request-id': _, date: __, etag: ___, ...rest } = headers;
    found.set(JSON.stringify([status, rest, body.toString('base64')]), path);
  }
  return [...found.values()];
};

const openAlone = async (page: Page, path: string, ran: string[]): Promise<void> => {
  // What is saved instead of shown ends the navigation.
  const shown = await page.goto(`${server.url}/api/files/${path}`).catch(() => null);
  if (shown === null) return;
  if ((await page.title()) === 'ran') ran.push(path);
};

interface PageDocument {
  readonly body: { append(element: EventTarget): void };
  createElement(tag: string): EventTarget;
}

/** From a page of ours without its policy: as frames, objects, scripts and styles. */
const embedAll = async (page: Page, paths: readonly string[]): Promise<void> => {
  await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' }));
  await page.goto(`${server.url}/bare`);
  await page.evaluate(async (addresses) => {
    const { document } = globalThis as unknown as { document: PageDocument };
    const settle = (element: EventTarget): Promise<void> =>
      new Promise((resolve) => {
        for (const event of ['load', 'error']) element.addEventListener(event, () => resolve());
        setTimeout(resolve, 300);
        document.body.append(element);
      });
    await Promise.all(
      addresses.flatMap((address) =>
        ['iframe', 'script', 'embed', 'img'].map((tag) =>
          settle(Object.assign(document.createElement(tag), { src: address })),
        ),
      ),
    );
  }, paths.map(filePath));
};
