import { describe, expect, it } from 'vitest';
import { countLeftOut, joinPrinted, readAttempts } from './attempts.ts';

describe('readAttempts', () => {
  it('understands what reporters usually send', () => {
    const [first, second] = readAttempts([
      { retry: 0, status: 'failed', duration: 1200, startTime: '2026-01-02T03:04:05.000Z', error: 'no' },
      { retry: 1, status: 'passed', duration: 800, startTime: 1767323045000 },
    ]);
    expect(first).toEqual({
      number: 1,
      status: 'failed',
      duration: 1200,
      startTime: '2026-01-02T03:04:05.000Z',
      error: 'no',
      stdout: null,
      stderr: null,
      output: [],
      leftOut: [],
      worker: null,
      parallel: null,
      rest: undefined,
    });
    expect(second).toMatchObject({ number: 2, status: 'passed', error: null, startTime: '2026-01-02T03:04:05.000Z' });
  });

  it('reads errors that are objects or lists of them, with their code frame', () => {
    const [one, many] = readAttempts([
      { error: { message: 'no', snippet: '> 1 | expect()' } },
      { errors: [{ message: 'first' }, 'second'] },
    ]);
    expect(one!.error).toBe('no\n\n> 1 | expect()');
    expect(many!.error).toBe('first\n\nsecond');
  });

  it('reads what a test printed, whole or in pieces', () => {
    const [one, many, odd] = readAttempts([
      { stdout: 'hello', worker: 2, parallel: 1 },
      { stdout: ['a\n', 'b'], stderr: '' },
      { stdout: { text: 'a' } },
    ]);
    expect(one).toMatchObject({ stdout: 'hello', stderr: null, worker: 2, parallel: 1, rest: undefined });
    expect(many).toMatchObject({ stdout: 'a\nb', stderr: null, rest: undefined });
    expect(odd).toMatchObject({ stdout: null, rest: { stdout: { text: 'a' } } });
  });

  it('reads what was printed in its order, and what was not sent', () => {
    const output = [
      { stream: 'stdout', text: 'a' },
      { stream: 'stdout', text: 'b\n' },
      { stream: 'note', text: '3 lines left out' },
      { stream: 'stderr', text: 'c' },
    ];
    const [read, odd] = readAttempts([
      {
        output,
        leftOut: [{ name: 'video.webm', contentType: 'video/webm', size: 6e7, why: 'too large' }, { name: 'x' }],
      },
      { output: [{ stream: 'stdin', text: 'a' }], leftOut: 'all' },
    ]);
    expect(joinPrinted(read!.output)).toEqual([{ stream: 'stdout', text: 'ab\n' }, output[2], output[3]]);
    expect(read!.leftOut).toEqual([
      { name: 'video.webm', contentType: 'video/webm', size: 6e7, why: 'too large' },
      { name: 'x', contentType: null, size: null, why: null },
    ]);
    expect(countLeftOut(read!.leftOut)).toBe(2);
    expect(countLeftOut([...read!.leftOut, { ...read!.leftOut[1]!, name: '7 more' }])).toBe(9);
    expect(odd).toMatchObject({ output: [], leftOut: [] });
    expect(odd!.rest).toEqual({ output: [{ stream: 'stdin', text: 'a' }], leftOut: 'all' });
  });

  it('keeps what it does not understand', () => {
    expect(readAttempts([{ status: 'passed', workerIndex: 3 }])[0]!.rest).toEqual({ workerIndex: 3 });
    expect(readAttempts([{ duration: 'long', startTime: 'soon', status: 7, retry: 'x' }])[0]).toEqual({
      number: 1,
      status: null,
      duration: null,
      startTime: null,
      error: null,
      stdout: null,
      stderr: null,
      output: [],
      leftOut: [],
      worker: null,
      parallel: null,
      rest: { duration: 'long', startTime: 'soon', status: 7, retry: 'x' },
    });
  });

  it('survives anything', () => {
    const odd = [null, 7, 'text', [1], { startTime: 1e300 }, { error: { code: 1 } }];
    const read = readAttempts(odd);
    expect(read.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(read[2]!.rest).toBe('text');
    expect(read[4]!.rest).toEqual({ startTime: 1e300 });
    expect(read[5]!.error).toBe('{\n  "code": 1\n}');
  });
});
