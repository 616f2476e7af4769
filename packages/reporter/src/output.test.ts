import { expect, it } from 'vitest';
import { outputTo } from './output.ts';

const written = (isTTY: boolean): { text: string; output: ReturnType<typeof outputTo> } => {
  const to = { text: '', output: null as never as ReturnType<typeof outputTo> };
  const write = (text: string | Uint8Array): boolean => {
    to.text += String(text);
    return true;
  };
  to.output = outputTo({ isTTY, write });
  return to;
};

it('replaces the line of progress on a terminal', () => {
  const to = written(true);
  to.output.progress('10 MB');
  to.output.progress('20 MB');
  to.output.say('done');
  expect(to.text).toBe('10 MB\r\u001b[K20 MB\r\u001b[Kdone\n');
});

it('writes a line of progress only now and then to a log', () => {
  const to = written(false);
  to.output.progress('10 MB');
  to.output.progress('20 MB');
  to.output.progress(null);
  to.output.say('done');
  expect(to.text).toBe('10 MB\ndone\n');
});

it('writes nothing that clears or colours a terminal or turns the direction of writing', () => {
  const to = written(true);
  to.output.say('a\u001b[2Jb\u0007\u202ec\nd\te');
  expect(to.text).toBe('a\u{fffd}[2Jb\u{fffd}\u{fffd}c\nd\te\n');
});
