import { languageOf } from '@assay/contract/filter';
import { describe, expect, it } from 'vitest';
import { hasTerm, quoteValue, splitTerms, toggleTerm } from './terms.ts';

const none = (): boolean => false;

describe('the terms of a search', () => {
  it.each([
    ['', []],
    ['status:failed  retries:>0', ['status:failed', 'retries:>0']],
    ['"log in" -tag:slow', ['"log in"', '-tag:slow']],
    ['a (b OR c) d', ['a', '(b OR c)', 'd']],
    ['NOT a b', ['NOT a', 'b']],
    ['title:="a \\" b" c', ['title:="a \\" b"', 'c']],
    ['"open end', ['"open end']],
  ])('%s', (text, terms) => {
    expect(splitTerms(text)).toEqual(terms);
  });
});

describe('a button', () => {
  it('adds its term and takes it away again', () => {
    expect(toggleTerm('"log in"', 'flaky', none)).toBe('"log in" flaky');
    expect(toggleTerm('"log in" flaky', 'flaky', none)).toBe('"log in"');
  });

  it('takes the place of another', () => {
    const replaces = (term: string): boolean => term.startsWith('status:');
    expect(toggleTerm('status:passed x', 'status:failed', replaces)).toBe('x status:failed');
  });

  it('joins all of an alternative', () => {
    expect(toggleTerm('a OR b', 'flaky', none)).toBe('(a OR b) flaky');
  });

  it('takes the place of an expression', () => {
    expect(toggleTerm('t => t.retries > 1', 'flaky', none)).toBe('flaky');
  });

  it('is pressed only while its term stands for itself', () => {
    expect(hasTerm('x flaky', 'flaky')).toBe(true);
    expect(hasTerm('x OR flaky', 'flaky')).toBe(false);
    expect(hasTerm('NOT flaky', 'flaky')).toBe(false);
  });
});

it('quotes values that would not stand for themselves', () => {
  expect(quoteValue('tests/a-b.spec.ts')).toBe('tests/a-b.spec.ts');
  expect(quoteValue('my file.ts')).toBe('"my file.ts"');
});

it.each([
  ['t => t.retries > 1', 'js'],
  ['(row) => row.flaky', 'js'],
  ['(a, b) => a.flaky', 'js'],
  ['!t.flaky', 'js'],
  ['t?.error', 'js'],
  ['status:failed', 'search'],
  ['t', 'search'],
  ['tests. and more', 'search'],
])('%s is read as %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});
