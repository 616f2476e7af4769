import { describe, expect, it } from 'vitest';
import { pullRequestOf, repositoryAt, repositoryOf } from './repository.ts';

const SHOP = 'https://github.com/acme/shop';

describe('repositoryAt', () => {
  it.each([
    [SHOP, `${SHOP}/commit/abc`, `${SHOP}/blob/abc/a/b.ts#L7`, `${SHOP}/pull/3`],
    ['https://gitlab.example.com/a/b/', 'commit/abc', 'blob/abc/a/b.ts#L7', 'merge_requests/3'].map((path, at) =>
      at === 0 ? path : `https://gitlab.example.com/a/b/-/${path}`,
    ),
    [
      'https://bitbucket.org/a/b.git',
      'https://bitbucket.org/a/b/commits/abc',
      'https://bitbucket.org/a/b/src/abc/a/b.ts#lines-7',
      'https://bitbucket.org/a/b/pull-requests/3',
    ],
    [
      'https://codeberg.org/a/b',
      'https://codeberg.org/a/b/commit/abc',
      'https://codeberg.org/a/b/src/commit/abc/a/b.ts#L7',
      'https://codeberg.org/a/b/pulls/3',
    ],
  ])('knows the addresses of %s', (address, commit, file, pullRequest) => {
    const repository = repositoryAt(address)!;
    expect(repository.commit('abc')).toBe(commit);
    expect(repository.file('a/b.ts', 7, 'abc')).toBe(file);
    expect(repository.pullRequest(3)).toBe(pullRequest);
  });

  it('finds files below a folder of a repository', () => {
    const repository = repositoryAt(`${SHOP}/tree/main/packages/web/`)!;
    expect(repository.file('a b.ts', null, 'abc')).toBe(`${SHOP}/blob/abc/packages/web/a%20b.ts`);
    expect(repository.commit('abc')).toBe(`${SHOP}/commit/abc`);
  });

  it.each(['', 'javascript:alert(1)', 'github.com/acme/shop', 'https://'])('takes %j for no repository', (address) => {
    expect(repositoryAt(address)).toBeNull();
  });
});

describe('repositoryOf', () => {
  it.each([
    ['https://github.com/acme/shop/actions/runs/12', `${SHOP}/commit/abc`],
    ['https://gitlab.com/a/b/-/jobs/12', 'https://gitlab.com/a/b/-/commit/abc'],
    ['https://ci.example.com/job/12', undefined],
  ])('reads it from the CI address %s', (url, commit) => {
    expect(repositoryOf(null, { ci: { url } })?.commit('abc')).toBe(commit);
  });

  it('goes by what was set', () => {
    const metadata = { ci: { url: 'https://gitlab.com/a/b/-/jobs/12' } };
    expect(repositoryOf(SHOP, metadata)!.commit('abc')).toBe(`${SHOP}/commit/abc`);
    expect(repositoryOf(null, { ci: 'x' })).toBeNull();
  });
});

describe('pullRequestOf', () => {
  it('leads where the sender said, else into the repository', () => {
    const repository = repositoryAt(SHOP);
    const of = (pullRequest: unknown) => pullRequestOf({ scm: { pullRequest } }, repository)?.href;
    expect(of({ number: 3, link: 'https://example.com/3' })).toBe('https://example.com/3');
    expect(of({ number: 3, link: 'javascript:alert(1)' })).toBe(`${SHOP}/pull/3`);
    expect(of({ number: '3' })).toBeUndefined();
    expect(pullRequestOf({ scm: { pullRequest: { number: 3 } } }, null)).toEqual({
      words: 'Pull request #3',
      href: null,
    });
  });
});
