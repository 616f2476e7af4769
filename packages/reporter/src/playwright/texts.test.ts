import { describe, expect, it } from 'vitest';
import { errorText } from './texts.ts';

describe('the text of errors', () => {
  it('has message, code frame, stack and causes, each once', () => {
    const text = errorText([
      {
        message: 'Error: no\nexpected 1',
        snippet: '> 1 | expect()',
        stack: 'Error: no\nexpected 1\n    at a.ts:1:1\n    at b.ts:2:2',
        cause: { message: 'Error: offline', stack: 'Error: offline\n    at c.ts:3:3' },
      },
      { value: 'thrown text' },
    ]);
    expect(text).toBe(
      'Error: no\nexpected 1\n\n> 1 | expect()\n\n    at a.ts:1:1\n    at b.ts:2:2\n\n[cause]: Error: offline\n\n    at c.ts:3:3\n\nthrown text',
    );
  });

  it('is none without errors, and bounded with any', () => {
    expect(errorText([])).toBeNull();
    const text = errorText([{ message: 'x'.repeat(300_000) }])!;
    expect(text).toMatch(/x\n\[200000 more characters left out\]$/);
  });
});
