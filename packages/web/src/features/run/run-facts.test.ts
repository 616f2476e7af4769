import { describe, expect, it } from 'vitest';
import { againstUsual, factsOf, highlightsOf, webAddress } from './run-facts.ts';

describe('metadata of a run', () => {
  const metadata = {
    scm: { author: 'Giulia', message: 'fix: a <b>thing</b>', pullRequest: 12 },
    ci: { provider: 'GitLab CI', job: 'e2e', url: 'https://ci.example.com/1' },
    odd: 'javascript:alert(1)',
    list: ['x', null, { deep: { deeper: { deepest: 1 } } }],
  };

  it('is told as lines', () => {
    expect(factsOf(metadata).map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'scm author: Giulia',
      'scm message: fix: a <b>thing</b>',
      'scm pull request: 12',
      'ci provider: GitLab CI',
      'ci job: e2e',
      'ci url: https://ci.example.com/1',
      'odd: javascript:alert(1)',
      'list: x',
    ]);
  });

  it('has its highlights', () => {
    expect(highlightsOf(factsOf(metadata))).toEqual({
      author: 'Giulia',
      message: 'fix: a <b>thing</b>',
      link: { href: 'https://ci.example.com/1', text: 'GitLab CI · e2e' },
    });
    expect(highlightsOf(factsOf(null))).toEqual({ author: null, message: null, link: null });
    expect(highlightsOf(factsOf({ ci: 'https://ci.example.com/2' })).link?.text).toBe('CI');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', ' https://x', 'https://', 'ftp://x', 'text'])(
    'never links to %s',
    (text) => {
      expect(webAddress(text)).toBeNull();
    },
  );
});

it.each([
  [100, 100, 'as usual'],
  [112, 100, '12 % slower than usual'],
  [80, 100, '20 % faster than usual'],
  [310, 100, '3.1 times the usual'],
])('%d ms against %d ms is %s', (duration, usual, words) => {
  expect(againstUsual(duration, usual)?.words).toBe(words);
});

it('compares nothing with nothing', () => {
  expect(againstUsual(null, 100)).toBeNull();
  expect(againstUsual(100, null)).toBeNull();
});
