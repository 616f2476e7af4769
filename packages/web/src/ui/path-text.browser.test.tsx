import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { LONG_PATH, NarrowPath } from './path-text.stories.tsx';

test('a long path keeps its end in sight and its order', async () => {
  await render(<NarrowPath />);
  const path = page.getByTitle(LONG_PATH);
  await expect.element(path).toHaveTextContent(LONG_PATH);
  const box = path.element().getBoundingClientRect();
  const place = (start: number, end: number): DOMRect => {
    const range = document.createRange();
    const text = path.element().querySelector('bdi')!.firstChild!;
    range.setStart(text, start);
    range.setEnd(text, end);
    return range.getBoundingClientRect();
  };
  const [first, second, last] = [place(0, 1), place(1, 2), place(LONG_PATH.length - 1, LONG_PATH.length)];
  expect(first.right).toBeLessThanOrEqual(second.left + 1);
  expect(first.left).toBeLessThan(box.left);
  expect(last.right).toBeCloseTo(box.right, 0);
});
