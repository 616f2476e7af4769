import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { Printed, WithAttachments } from './result-panel.stories.tsx';

beforeEach(() => window.history.replaceState(null, '', '/test-cases/1'));

const viewer = page.getByRole('dialog');
const opened = (): string | null => new URLSearchParams(window.location.search).get('attachment');
const loaded = (): string[] => performance.getEntriesByType('resource').map(({ name }) => name);

test('a picture opens by Enter, arrows go round through all of the result, the address has the one that is open', async () => {
  await render(<WithAttachments />);
  const thumbnail = page.getByRole('link', { name: 'Open screenshot.png' });
  thumbnail.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(viewer).toHaveAccessibleName('screenshot.png');
  await expect.element(viewer.getByRole('img', { name: 'screenshot.png' })).toBeVisible();
  expect(opened()).toBe('1');

  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(viewer).toHaveAccessibleName('before.png');
  await expect.element(viewer).toMatchTextContent(/attempt 2/);
  expect(opened()).toBe('7');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(viewer.getByRole('group', { name: 'Comparison of home' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(thumbnail).toHaveFocus();
  expect(window.location.search).toBe('');
});

test('at 100 % a picture has its own pixels, and the arrow keys move it', async () => {
  window.history.replaceState(null, '', '/test-cases/1?attachment=1');
  await render(<WithAttachments />);
  const picture = viewer.getByRole('img', { name: 'screenshot.png' });
  await expect.element(picture).toBeVisible();
  const width = (): number => picture.element().getBoundingClientRect().width;
  await expect.poll(width).toBeLessThan(1_180);
  await viewer.getByRole('radio', { name: '100 %' }).click();
  await expect.poll(width).toBe(1_280);
  (picture.element().parentElement as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(viewer).toHaveAccessibleName('screenshot.png');
});

test('a picture that is too large is never loaded, one that is none or gone says so, all can be downloaded', async () => {
  await render(<WithAttachments />);
  await expect.element(page.getByText('40,000 × 40,000 pixels: too large to be shown here')).toBeVisible();
  await expect
    .element(page.getByText('Not a picture that can be shown, although it was sent as image/png'))
    .toBeVisible();
  await expect.element(page.getByText('The file is no longer stored')).toBeVisible();
  for (const name of ['huge.png', 'lies.png', 'gone.png']) {
    await expect.element(page.getByRole('link', { name: `Download ${name}` })).toHaveAttribute('download', name);
  }
  expect(loaded().filter((url) => url.endsWith('?huge'))).toEqual([]);
});

test('two pictures are compared by a slider that has keys, by turns, and by a difference computed here', async () => {
  await render(<WithAttachments />);
  const comparison = page.getByRole('group', { name: 'Comparison of home' });
  const choose = (mode: string): Promise<void> => comparison.getByRole('radio', { name: mode }).click({ force: true });
  await choose('Slider');
  const slider = comparison.getByRole('slider');
  slider.element().focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(slider).toHaveValue('52');
  const top = comparison.getByRole('img', { name: 'Actual' }).element().parentElement!;
  expect(top.style.clipPath).toBe('inset(0px 0px 0px 52%)');

  await choose('Blink');
  await comparison.getByRole('button', { name: 'Pause' }).click();
  const shown = comparison.getByRole('img');
  const first = shown.element().getAttribute('alt');
  await comparison.getByRole('button', { name: /^Show/ }).click();
  await expect.element(comparison.getByRole('button', { name: `Show ${first!.toLowerCase()}` })).toBeVisible();
  expect(shown.element().getAttribute('alt')).not.toBe(first);

  await choose('Difference');
  await expect.element(comparison.getByText(/^Every pixel is equal\. Computed here/)).toBeVisible();
});

test('pictures of different sizes say so, even where only the browser knows them', async () => {
  await render(<WithAttachments />);
  const comparison = page.getByRole('group', { name: 'Comparison of mark' });
  await expect
    .element(comparison)
    .toMatchTextContent(/The sizes differ: expected \d+ × \d+, actual 1,280 × 720 pixels/);
});

test('a text is read when it is opened, and says when it is not all of it', async () => {
  await render(<WithAttachments />);
  await page.getByText('notice.txt').click();
  await expect.element(page.getByText(/^The first .* of 1\.0 MB/)).toBeVisible();
  await expect.element(page.getByText(/Permission is hereby granted/)).toBeVisible();
});

test('output stands in its order, tells its streams apart in words, and what was not sent', async () => {
  await render(<Printed />);
  await expect.element(page.getByRole('group', { name: 'Standard error' })).toMatchTextContent(/stderr.*a warning/s);
  await page.getByRole('button', { name: 'Show 2 more lines' }).click();
  const printed = page.getByRole('region', { name: 'Attempts' }).getByRole('listitem').first();
  await expect
    .element(printed)
    .toMatchTextContent(/line 1\s.*line 39\s*stderr\s*a warning.*and its rest\s*7 lines left out/s);
  await expect.element(page.getByText('1 attachment was not sent:')).toBeVisible();
  await expect.element(page.getByText('video.webm (video/webm, 60.0 MB): larger than 20 MB')).toBeVisible();
});
