import { describe, expect, it } from 'vitest';
import { growOutput } from './output.ts';

describe('what an attempt prints', () => {
  it('stays in order, with what one stream printed at once in one piece', () => {
    const output = growOutput();
    output.add('stdout', 'one\n');
    output.add('stdout', '');
    output.add('stdout', 'two\n');
    output.add('stderr', '\u001b[31mthree\u001b[39m\n');
    output.add('stdout', 'four\n');
    expect(output.pieces()).toEqual([
      { stream: 'stdout', text: 'one\ntwo\n' },
      { stream: 'stderr', text: '\u001b[31mthree\u001b[39m\n' },
      { stream: 'stdout', text: 'four\n' },
    ]);
    expect(growOutput().pieces()).toEqual([]);
  });

  it('keeps its beginning and more of its end, in whole lines, and says how much is missing', () => {
    const output = growOutput(8_000);
    const line = (at: number): string => `\u001b[32mline ${at}\u001b[39m\n`;
    let total = 0;
    for (let at = 0; at < 20_000; at++) {
      output.add(at % 100 === 99 ? 'stderr' : 'stdout', line(at));
      total += line(at).length;
    }
    const pieces = output.pieces();
    const note = pieces.findIndex(({ stream }) => stream === 'note');
    const textOf = (some: typeof pieces): string => some.map(({ text }) => text).join('');
    const [beginning, end] = [textOf(pieces.slice(0, note)), textOf(pieces.slice(note + 1))];
    expect(beginning.startsWith(line(0))).toBe(true);
    expect(beginning.endsWith('\u001b[39m\n')).toBe(true);
    expect(end.startsWith('\u001b[32mline')).toBe(true);
    expect(end.endsWith(line(19_999))).toBe(true);
    expect(end.length).toBeGreaterThan(beginning.length);
    expect(beginning.length + end.length).toBeLessThanOrEqual(8_000);
    expect(beginning.length + end.length).toBeGreaterThan(7_000);
    const missing = (total - beginning.length - end.length).toLocaleString('en-US');
    expect(pieces[note]).toEqual({ stream: 'note', text: `… ${missing} characters left out …` });
    expect(textOf(output.pieces(4_000)).length).toBeLessThan(4_100);
  });

  it('is cut in one long line too, but never inside of a character', () => {
    const output = growOutput(1_001);
    output.add('stderr', `first${'😀'.repeat(5_000)}last`);
    const [beginning, note, end] = output.pieces();
    expect(beginning!.text).toMatch(/^first(?:😀)+$/u);
    expect(note!.stream).toBe('note');
    expect(end!.text).toMatch(/^(?:😀)+last$/u);
  });
});
