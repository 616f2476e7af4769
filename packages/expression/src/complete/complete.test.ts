import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Catalogue, complete, completeSearch } from '../index.ts';

const catalogue: Catalogue = {
  fields: {
    status: { type: 'enum', values: ['passed', 'failed', 'timedOut'], description: 'How it ended' },
    retries: { type: 'number' },
    title: { type: 'string' },
    error: { type: 'string', nullable: true },
    tags: { type: 'strings' },
    duration: { type: 'duration' },
    startTime: { type: 'date' },
    flaky: { type: 'boolean' },
    'odd name': { type: 'string' },
    steps: { type: 'list', items: { type: 'object', fields: { kind: { type: 'enum', values: ['hook', 'test'] } } } },
  },
};

/** The text with what may stand at `|`, and what it would become with the first item. */
function at(marked: string, offer: typeof complete): { labels: string[]; first: string; docs: string } {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { span, items } = offer(text, cursor, catalogue);
  const [item] = items;
  return {
    labels: items.map(({ label }) => label),
    first: text.slice(0, span.start) + (item?.insert ?? '') + text.slice(span.end),
    docs: item?.docs ?? '',
  };
}

describe('completion of JavaScript', () => {
  it.each([
    ['t.sta|', 't.status'],
    ['t => t.sta| > 1', 't => t.status > 1'],
    ['t => t.sta|tus === 1', 't => t.status === 1'],
    ['row => row.ret|', 'row => row.retries'],
    ['t.status === |', 't.status === "passed"'],
    ['t.status === "fa|', 't.status === "failed"'],
    ['t.status === "fa|" && 1', 't.status === "failed" && 1'],
    ['t.status of ["passed", "fa|', 't.status of ["passed", "failed"'],
    ['t.title.toLow|', 't.title.toLowerCase()'],
    ['t.title.toLowerCase().inc|', 't.title.toLowerCase().includes('],
    ['t.title.indexOf("x").toF|', 't.title.indexOf("x").toFixed('],
    ['t.tags.so|', 't.tags.some('],
    ['t.tags.some(x => x.ends|', 't.tags.some(x => x.endsWith('],
    ['t.startTime.getT|', 't.startTime.getTime()'],
    ['t.error?.st|', 't.error?.startsWith('],
    ['Math.fl|', 'Math.floor('],
    ['ret|', 't.retries'],
    ['t.flaky |', 't.flaky && '],
    ['t.retries |', 't.retries < '],
    ['t.status |', 't.status === '],
    ['tr|', 'true'],
    ['(((t.sta|', '(((t.status'],
    ['t.odd|', 't."odd name"'],
    ['`a ${t.sta|', '`a ${t.status'],
    ['/x/.test(t.ti|', '/x/.test(t.title'],
    ['t.steps.some(s => s.k|', 't.steps.some(s => s.kind'],
    ['t.steps.some(s => s.kind === |', 't.steps.some(s => s.kind === "hook"'],
    [
      't.steps.filter(s => s.kind === "hook").some(h => h.k|',
      't.steps.filter(s => s.kind === "hook").some(h => h.kind',
    ],
    ['t.title.split(" ").map(x => x.trim()).jo|', 't.title.split(" ").map(x => x.trim()).join('],
    ['(t.retries + 1).toF|', '(t.retries + 1).toFixed('],
    ['Math.abs(t.retries).toF|', 'Math.abs(t.retries).toFixed('],
  ])('%s', (marked, expected) => {
    expect(at(marked, complete).first).toBe(expected);
  });

  it.each(['"abc|', '`abc|`', '/ab|c/', '// t.|', 't.status /* t.| */', '12|'])('offers nothing in %s', (marked) => {
    expect(at(marked, complete).labels).toEqual([]);
  });

  it.each(['t.Math.|', 'constructor.|', '.|'])('knows nothing of %s', (marked) => {
    expect(at(marked, complete).labels).toEqual([]);
  });

  it('documents what it offers', () => {
    expect(at('t.sta|', complete).docs).toBe('How it ended (enum: passed, failed, timedOut)');
    expect(at('t.title.inc|', complete).docs).toBe('includes(text): Whether the text contains another.');
  });

  it('offers only operators that suit the operand', () => {
    expect(at('t.status |', complete).labels).not.toContain('<');
    expect(at('t.startTime |', complete).labels).not.toContain('===');
    expect(at('t.status |', complete).labels).toContain('of');
  });
});

describe('completion of a search', () => {
  it.each([
    ['sta|', 'status:'],
    ['-sta|', '-status:'],
    ['status:|', 'status:passed'],
    ['status:fa|', 'status:failed'],
    ['status:fa| retries:1', 'status:failed retries:1'],
    ['status:passed,ti|', 'status:passed,timedOut'],
    ['status:!=ti|', 'status:!=timedOut'],
    ['(flaky OR sta|', '(flaky OR status:'],
    ['fla|', 'flaky '],
    ['retries:1 O|', 'retries:1 OR '],
    ['has:er|', 'has:error'],
    ['retries:|', 'retries:>'],
    ['"a b" sta|', '"a b" status:'],
    ['sta|:failed', 'status:failed'],
    ['flaky:t|', 'flaky:true'],
  ])('%s', (marked, expected) => {
    expect(at(marked, completeSearch).first).toBe(expected);
  });

  it('offers nothing inside a phrase', () => {
    expect(at('"sta|', completeSearch).labels).toEqual([]);
  });
});

it('never fails, whatever the text, and replaces what touches the cursor', () => {
  const pieces = fc.constantFrom(
    't',
    '.',
    '?.',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '`',
    '${',
    '"',
    "'",
    '/',
    ' ',
    '=>',
    'x',
    '===',
    'status',
    ':',
    ',',
    '-',
    '//',
    '/*',
    '\n',
    '1',
    'of',
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 25 }).map((all) => all.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, fc.nat(60), fc.constantFrom(complete, completeSearch), (text, cursor, offer) => {
      const { span } = offer(text, cursor, catalogue);
      const place = Math.min(cursor, text.length);
      expect(span.start).toBeLessThanOrEqual(place);
      expect(span.end).toBeGreaterThanOrEqual(place);
      expect(span.end).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: draws(300, 5_000) },
  );
});

it('takes a cursor that is no number for the end of the text', () => {
  expect(complete('t.ret', Number.NaN, catalogue)).toEqual(complete('t.ret', 5, catalogue));
});

it('takes a cursor within a character for one before it', () => {
  for (const offer of [complete, completeSearch])
    expect(offer('t.ret', 1.5, catalogue)).toEqual(offer('t.ret', 1, catalogue));
});
