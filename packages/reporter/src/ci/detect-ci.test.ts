import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeSource } from './describe-source.ts';
import { detectCi } from './detect-ci.ts';
import { runKeyOf } from './run-key.ts';
import { mergeSource, readSource } from './source.ts';

describe('a CI system', () => {
  it.each<[string, Record<string, string>, object]>([
    [
      'GitHub Actions, a branch tried again',
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_RUN_ID: '7',
        GITHUB_RUN_ATTEMPT: '2',
        GITHUB_JOB: 'e2e',
        GITHUB_REF: 'refs/heads/main',
        GITHUB_REF_NAME: 'main',
        GITHUB_SHA: 'abc',
      },
      {
        provider: 'GitHub Actions',
        job: 'e2e',
        link: 'https://github.com/acme/shop/actions/runs/7/attempts/2',
        build: 'acme/shop/7/e2e',
        attempt: 2,
        branch: 'main',
        commit: 'abc',
        pullRequest: null,
      },
    ],
    [
      'GitLab, the second of three jobs of a merge request',
      {
        GITLAB_CI: 'true',
        CI_JOB_NAME: 'e2e 2/3',
        CI_JOB_URL: 'https://gitlab.example/acme/shop/-/jobs/9',
        CI_PROJECT_PATH: 'acme/shop',
        CI_PROJECT_URL: 'https://gitlab.example/acme/shop',
        CI_PIPELINE_ID: '5',
        CI_MERGE_REQUEST_IID: '12',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'carts',
        CI_COMMIT_SHA: 'abc',
        CI_DEFAULT_BRANCH: 'trunk',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: 'base',
        CI_COMMIT_AUTHOR: 'Ada L <ada@example.org>',
        CI_COMMIT_MESSAGE: 'fix: carts',
      },
      {
        provider: 'GitLab CI',
        job: 'e2e',
        build: 'acme/shop/5/e2e',
        branch: 'carts',
        defaultBranch: 'trunk',
        baseCommit: 'base',
        author: 'Ada L',
        message: 'fix: carts',
        pullRequest: { number: 12, link: 'https://gitlab.example/acme/shop/-/merge_requests/12' },
      },
    ],
    [
      'Jenkins',
      {
        JENKINS_URL: 'https://ci',
        JOB_NAME: 'shop',
        BUILD_NUMBER: '4',
        BUILD_URL: 'https://ci/4',
        GIT_BRANCH: 'origin/main',
      },
      { provider: 'Jenkins', job: 'shop', link: 'https://ci/4', build: 'shop/4', branch: 'main' },
    ],
    [
      'CircleCI',
      {
        CIRCLECI: 'true',
        CIRCLE_JOB: 'e2e',
        CIRCLE_WORKFLOW_ID: 'w1',
        CIRCLE_SHA1: 'abc',
        CIRCLE_PULL_REQUEST: 'https://github.com/acme/shop/pull/3',
      },
      {
        provider: 'CircleCI',
        build: 'w1/e2e',
        commit: 'abc',
        pullRequest: { number: 3, link: 'https://github.com/acme/shop/pull/3' },
      },
    ],
    [
      'Azure Pipelines',
      {
        TF_BUILD: 'True',
        SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/',
        SYSTEM_TEAMPROJECT: 'shop',
        BUILD_BUILDID: '8',
        BUILD_SOURCEBRANCH: 'refs/heads/main',
        SYSTEM_JOBATTEMPT: '3',
      },
      {
        provider: 'Azure Pipelines',
        link: 'https://dev.azure.com/acme/shop/_build/results?buildId=8',
        build: 'shop/8',
        branch: 'main',
        attempt: 3,
      },
    ],
    [
      'Buildkite, retried once',
      {
        BUILDKITE: 'true',
        BUILDKITE_BUILD_ID: 'b',
        BUILDKITE_STEP_ID: 's',
        BUILDKITE_BUILD_URL: 'https://bk/1',
        BUILDKITE_JOB_ID: 'j',
        BUILDKITE_RETRY_COUNT: '1',
        BUILDKITE_PULL_REQUEST: 'false',
      },
      { provider: 'Buildkite', build: 'b/s', link: 'https://bk/1#j', attempt: 2, pullRequest: null },
    ],
    ['one that nobody knows', { CI: 'true' }, { provider: 'CI', build: null, attempt: 1 }],
  ])('%s', (_, env, expected) => {
    expect(detectCi(env)).toMatchObject(expected);
  });

  it('is not there on anybody’s own machine', () => {
    expect(detectCi({})).toBeNull();
    expect(detectCi({ CI: 'false' })).toBeNull();
  });
});

describe('the key of a run in shards', () => {
  const gitLab = (job: string) =>
    detectCi({ GITLAB_CI: '1', CI_PROJECT_PATH: 'acme/shop', CI_PIPELINE_ID: '5', CI_JOB_NAME: job });

  it('is the same for all shards of a job', () => {
    expect(runKeyOf(gitLab('e2e 1/3'), 'shop', ['linux'])).toBe(runKeyOf(gitLab('e2e 3/3'), 'shop', ['linux']));
  });

  it('differs by job, project and system', () => {
    const keys = [
      runKeyOf(gitLab('e2e'), 'shop', ['linux']),
      runKeyOf(gitLab('api'), 'shop', ['linux']),
      runKeyOf(gitLab('e2e'), 'bank', ['linux']),
      runKeyOf(gitLab('e2e'), 'shop', ['win32']),
    ];
    expect(new Set(keys).size).toBe(4);
  });

  it('is none where nothing names the build', () => {
    expect(runKeyOf(detectCi({ CI: 'true' }), 'shop', [])).toBeNull();
    expect(runKeyOf(null, 'shop', [])).toBeNull();
  });
});

describe('what was tested', () => {
  it('is not told by git when CI checked out a merge that nobody wrote', () => {
    const ci = detectCi({ GITHUB_ACTIONS: '1', GITHUB_SHA: 'merge', GITHUB_ACTOR: 'ada' });
    const git = { commit: 'merge', author: 'GitHub', message: 'Merge abc into def', branch: null };
    const event = { commit: 'abc', message: 'Carts', author: 'grace', branch: 'carts' };
    expect(mergeSource(event, ci, git)).toMatchObject({
      commit: 'abc',
      author: 'grace',
      message: 'Carts',
      branch: 'carts',
    });
    expect(mergeSource({}, ci, git)).toMatchObject({ commit: 'merge', author: 'GitHub' });
    expect(mergeSource({}, ci, { commit: 'other', author: 'Ann', message: 'x' })).toMatchObject({
      author: 'ada',
      message: null,
    });
  });

  it('has the default branch that the event of GitHub names, else CI, else git', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-source-'));
    try {
      const path = join(folder, 'event.json');
      writeFileSync(path, JSON.stringify({ repository: { default_branch: 'trunk' } }));
      const remote = ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release/next'];
      const ann = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
      execFileSync('git', ['init', '-q', folder]);
      execFileSync('git', ['-C', folder, ...ann, 'commit', '-q', '--allow-empty', '-m', 'first']);
      execFileSync('git', ['-C', folder, ...remote]);
      const read = async (env: Record<string, string>) => (await readSource(folder, env)).defaultBranch;
      expect(await read({ GITHUB_ACTIONS: '1', GITHUB_EVENT_PATH: path })).toBe('trunk');
      expect(await read({ GITLAB_CI: '1', CI_DEFAULT_BRANCH: 'develop' })).toBe('develop');
      expect(await read({})).toBe('release/next');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('has the base that the pull request names, else where the branch left the default one, else none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-source-'));
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
        encoding: 'utf8',
      }).trim();
    const read = async (env: Record<string, string> = {}) => (await readSource(folder, env)).baseCommit;
    try {
      expect(await read()).toBeNull();
      git('init', '-q', '-b', 'main');
      git('commit', '-q', '--allow-empty', '-m', 'first');
      expect(await read()).toBeNull();
      const base = git('rev-parse', 'HEAD');
      git('update-ref', 'refs/remotes/origin/main', base);
      git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
      expect(await read()).toBeNull();
      git('checkout', '-q', '-b', 'carts');
      git('commit', '-q', '--allow-empty', '-m', 'second');
      expect(await read()).toBe(base);
      expect(await read({ GITLAB_CI: '1', CI_DEFAULT_BRANCH: 'unknown' })).toBeNull();
      const event = join(folder, 'event.json');
      writeFileSync(event, JSON.stringify({ pull_request: { base: { sha: 'tip' } } }));
      expect(await read({ GITHUB_ACTIONS: '1', GITHUB_EVENT_PATH: event })).toBe('tip');
      const source = await readSource(folder, {});
      expect(describeSource(source)).toMatchObject({ branch: 'carts', metadata: { scm: { baseCommit: base } } });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
