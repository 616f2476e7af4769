import type { Page } from '@playwright/test';
import { DEMO_END } from './demo-end.ts';
import type { Service } from './service.ts';

const TITLE = 'Basket › looks as designed';
const ERROR = 'Error: expect(page).toHaveScreenshot(expected) failed';

export interface SentAttachments {
  readonly run: number;
  readonly result: number;
}

/** A run of one failed test with what its two attempts left behind, pictured by the browser itself. */
export const sendAttachments = async (page: Page, { client }: Service): Promise<SentAttachments> => {
  const seen = await picture(page, 'Total: <b>NaN</b>');
  const form = new FormData();
  form.set('projectName', 'pictures');
  form.set('testRun', JSON.stringify({ status: 'failed', startTime: DEMO_END.toISOString() }));
  const attempts = [0, 1].map((retry) => ({ retry, status: 'failed', duration: 900, error: ERROR }));
  const location = 'tests/basket.spec.ts:12:3';
  form.set(
    'testCases',
    JSON.stringify([{ title: TITLE, status: 'failed', duration: 900, location, error: ERROR, attempts }]),
  );
  const add = (attempt: number, name: string, type: string, content: Buffer<ArrayBuffer> | string): void =>
    form.append(`attachment_0_${attempt}`, new Blob([content], { type }), name);
  add(0, 'first.png', 'image/png', seen);
  add(1, 'screenshot.png', 'image/png', seen);
  add(1, 'basket-expected.png', 'image/png', await picture(page, 'Total: <b>8.99</b>'));
  add(1, 'basket-actual.png', 'image/png', seen);
  add(1, 'receipt-expected.txt', 'text/plain', 'A book\nTotal 8.99\nThank you\n');
  add(1, 'receipt-actual.txt', 'text/plain', 'A book\nTotal NaN\nThank you\n');
  add(1, 'order.json', 'application/json', '{"currency":"GPB"}');
  add(1, 'core.bin', 'application/octet-stream', 'no text');
  add(1, 'lies.png', 'image/png', 'no picture');
  const { testRunId } = await client.uploadRun({ body: form });
  const { testCases } = await client.getRun({ params: { id: testRunId } });
  return { run: testRunId, result: testCases[0]!.id };
};

const picture = async (page: Page, words: string): Promise<Buffer<ArrayBuffer>> => {
  await page.setContent(`<body style="font: 20px sans-serif"><h1>Your basket</h1><p>${words}</p></body>`);
  return Buffer.from(await page.screenshot());
};
