import type { Ci } from './ci.ts';

type Read = (variable: string) => string | null;

export interface Provider {
  readonly name: string;
  /** A variable that only this one sets. */
  readonly marker: string;
  read(env: Read): Partial<Ci>;
}

/** By hand: `env-ci` brings execa into people's CI, runs git synchronously, and knows no attempts, which order the tries of a shard. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: 'GitHub Actions',
    marker: 'GITHUB_ACTIONS',
    read: (env) => {
      const repository = env('GITHUB_REPOSITORY') && `${env('GITHUB_SERVER_URL')}/${env('GITHUB_REPOSITORY')}`;
      const number = numberIn(/^refs\/pull\/(\d+)\//, env('GITHUB_REF'));
      const run = env('GITHUB_RUN_ID');
      const attempt = attemptOf(env('GITHUB_RUN_ATTEMPT'));
      return {
        job: env('GITHUB_JOB'),
        link: repository && run && `${repository}/actions/runs/${run}${attempt > 1 ? `/attempts/${attempt}` : ''}`,
        build: join(env('GITHUB_REPOSITORY'), run, env('GITHUB_JOB')),
        attempt,
        branch: env('GITHUB_HEAD_REF') ?? (env('GITHUB_REF_TYPE') === 'tag' ? null : env('GITHUB_REF_NAME')),
        commit: env('GITHUB_SHA'),
        pullRequest: number === null ? null : { number, link: repository && `${repository}/pull/${number}` },
        author: env('GITHUB_ACTOR'),
      };
    },
  },
  {
    name: 'GitLab CI',
    marker: 'GITLAB_CI',
    read: (env) => {
      const number = numberIn(/^(\d+)$/, env('CI_MERGE_REQUEST_IID'));
      const project = env('CI_MERGE_REQUEST_PROJECT_URL') ?? env('CI_PROJECT_URL');
      // Jobs that run in parallel have their number at the end of their name.
      const job = env('CI_JOB_NAME')?.replace(/ \d+\/\d+$/, '') ?? null;
      return {
        job,
        link: env('CI_JOB_URL') ?? env('CI_PIPELINE_URL'),
        build: join(env('CI_PROJECT_PATH'), env('CI_PIPELINE_ID'), job),
        branch: env('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME') ?? env('CI_COMMIT_BRANCH'),
        commit: env('CI_MERGE_REQUEST_SOURCE_BRANCH_SHA') ?? env('CI_COMMIT_SHA'),
        defaultBranch: env('CI_DEFAULT_BRANCH'),
        baseCommit: env('CI_MERGE_REQUEST_TARGET_BRANCH_SHA') ?? env('CI_MERGE_REQUEST_DIFF_BASE_SHA'),
        pullRequest: number === null ? null : { number, link: project && `${project}/-/merge_requests/${number}` },
        author: nameOf(env('CI_COMMIT_AUTHOR')),
        message: env('CI_COMMIT_MESSAGE') ?? env('CI_COMMIT_TITLE'),
      };
    },
  },
  {
    name: 'Jenkins',
    marker: 'JENKINS_URL',
    read: (env) => ({
      job: env('JOB_NAME'),
      link: env('BUILD_URL'),
      build: join(env('JOB_NAME'), env('BUILD_NUMBER')),
      branch: env('CHANGE_BRANCH') ?? (env('BRANCH_NAME') ?? env('GIT_BRANCH'))?.replace(/^origin\//, '') ?? null,
      commit: env('GIT_COMMIT'),
      pullRequest: pullRequest(numberIn(/^(\d+)$/, env('CHANGE_ID')), env('CHANGE_URL')),
      author: env('CHANGE_AUTHOR_DISPLAY_NAME') ?? env('CHANGE_AUTHOR'),
      message: env('CHANGE_TITLE'),
    }),
  },
  {
    name: 'CircleCI',
    marker: 'CIRCLECI',
    read: (env) => {
      const link = env('CIRCLE_PULL_REQUEST');
      return {
        job: env('CIRCLE_JOB'),
        link: env('CIRCLE_BUILD_URL'),
        build: join(env('CIRCLE_WORKFLOW_ID'), env('CIRCLE_JOB')),
        branch: env('CIRCLE_BRANCH'),
        commit: env('CIRCLE_SHA1'),
        pullRequest: pullRequest(numberIn(/\/(\d+)$/, link), link),
        author: env('CIRCLE_USERNAME'),
      };
    },
  },
  {
    name: 'Azure Pipelines',
    marker: 'TF_BUILD',
    read: (env) => {
      const project = env('SYSTEM_COLLECTIONURI') && `${env('SYSTEM_COLLECTIONURI')}${env('SYSTEM_TEAMPROJECT')}`;
      const number = env('SYSTEM_PULLREQUEST_PULLREQUESTNUMBER') ?? env('SYSTEM_PULLREQUEST_PULLREQUESTID');
      const branch = env('SYSTEM_PULLREQUEST_SOURCEBRANCH') ?? env('BUILD_SOURCEBRANCH');
      return {
        job: env('AGENT_JOBNAME') ?? env('SYSTEM_JOBDISPLAYNAME'),
        link: project && env('BUILD_BUILDID') && `${project}/_build/results?buildId=${env('BUILD_BUILDID')}`,
        build: join(env('SYSTEM_TEAMPROJECT'), env('BUILD_BUILDID'), env('SYSTEM_PHASENAME')),
        attempt: attemptOf(env('SYSTEM_JOBATTEMPT')),
        branch: branch?.replace(/^refs\/heads\//, '') ?? null,
        commit: env('SYSTEM_PULLREQUEST_SOURCECOMMITID') ?? env('BUILD_SOURCEVERSION'),
        pullRequest: pullRequest(numberIn(/^(\d+)$/, number), null),
        author: env('BUILD_REQUESTEDFOR'),
        message: env('BUILD_SOURCEVERSIONMESSAGE'),
      };
    },
  },
  {
    name: 'Buildkite',
    marker: 'BUILDKITE',
    read: (env) => ({
      job: env('BUILDKITE_LABEL') ?? env('BUILDKITE_PIPELINE_SLUG'),
      link: env('BUILDKITE_BUILD_URL') && `${env('BUILDKITE_BUILD_URL')}#${env('BUILDKITE_JOB_ID') ?? ''}`,
      build: join(env('BUILDKITE_BUILD_ID'), env('BUILDKITE_STEP_ID')),
      attempt: Number(env('BUILDKITE_RETRY_COUNT') ?? 0) + 1 || 1,
      branch: env('BUILDKITE_BRANCH'),
      commit: env('BUILDKITE_COMMIT'),
      defaultBranch: env('BUILDKITE_PIPELINE_DEFAULT_BRANCH'),
      pullRequest: pullRequest(numberIn(/^(\d+)$/, env('BUILDKITE_PULL_REQUEST')), null),
      author: env('BUILDKITE_BUILD_AUTHOR') ?? env('BUILDKITE_BUILD_CREATOR'),
      message: env('BUILDKITE_MESSAGE'),
    }),
  },
  {
    name: 'Bitbucket Pipelines',
    marker: 'BITBUCKET_BUILD_NUMBER',
    read: (env) => {
      const repository = env('BITBUCKET_GIT_HTTP_ORIGIN')?.replace(/^http:/, 'https:') ?? null;
      const number = numberIn(/^(\d+)$/, env('BITBUCKET_PR_ID'));
      return {
        link: repository && `${repository}/pipelines/results/${env('BITBUCKET_BUILD_NUMBER')}`,
        build: join(env('BITBUCKET_REPO_FULL_NAME'), env('BITBUCKET_BUILD_NUMBER')),
        branch: env('BITBUCKET_BRANCH'),
        commit: env('BITBUCKET_COMMIT'),
        pullRequest: pullRequest(number, repository && `${repository}/pull-requests/${number}`),
      };
    },
  },
  {
    name: 'Travis CI',
    marker: 'TRAVIS',
    read: (env) => ({
      job: env('TRAVIS_JOB_NAME'),
      link: env('TRAVIS_JOB_WEB_URL') ?? env('TRAVIS_BUILD_WEB_URL'),
      build: join(env('TRAVIS_REPO_SLUG'), env('TRAVIS_BUILD_ID')),
      branch: env('TRAVIS_PULL_REQUEST_BRANCH') ?? env('TRAVIS_BRANCH'),
      commit: env('TRAVIS_PULL_REQUEST_SHA') ?? env('TRAVIS_COMMIT'),
      pullRequest: pullRequest(numberIn(/^(\d+)$/, env('TRAVIS_PULL_REQUEST')), null),
      message: env('TRAVIS_COMMIT_MESSAGE'),
    }),
  },
  {
    name: 'TeamCity',
    marker: 'TEAMCITY_VERSION',
    read: (env) => ({
      job: env('TEAMCITY_BUILDCONF_NAME'),
      link: env('BUILD_URL'),
      build: join(env('TEAMCITY_PROJECT_NAME'), env('TEAMCITY_BUILDCONF_NAME'), env('BUILD_NUMBER')),
      commit: env('BUILD_VCS_NUMBER'),
    }),
  },
  {
    name: 'Drone',
    marker: 'DRONE',
    read: (env) => ({
      job: env('DRONE_STAGE_NAME'),
      link: env('DRONE_BUILD_LINK'),
      build: join(env('DRONE_REPO'), env('DRONE_BUILD_NUMBER')),
      branch: env('DRONE_SOURCE_BRANCH') ?? env('DRONE_COMMIT_BRANCH'),
      commit: env('DRONE_COMMIT_SHA'),
      defaultBranch: env('DRONE_REPO_BRANCH'),
      pullRequest: pullRequest(numberIn(/^(\d+)$/, env('DRONE_PULL_REQUEST')), null),
      author: env('DRONE_COMMIT_AUTHOR_NAME') ?? env('DRONE_COMMIT_AUTHOR'),
      message: env('DRONE_COMMIT_MESSAGE'),
    }),
  },
  {
    name: 'AWS CodeBuild',
    marker: 'CODEBUILD_BUILD_ID',
    read: (env) => ({
      job: env('CODEBUILD_BUILD_ID')?.split(':')[0] ?? null,
      link: env('CODEBUILD_PUBLIC_BUILD_URL'),
      build: env('CODEBUILD_BUILD_ID'),
      branch: env('CODEBUILD_WEBHOOK_HEAD_REF')?.replace(/^refs\/heads\//, '') ?? null,
      commit: env('CODEBUILD_RESOLVED_SOURCE_VERSION'),
    }),
  },
];

const numberIn = (pattern: RegExp, text: string | null): number | null => {
  const digits = pattern.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
};

const pullRequest = (number: number | null, link: string | null): Ci['pullRequest'] =>
  number === null ? null : { number, link };

const attemptOf = (text: string | null): number => {
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 ? count : 1;
};

/** `Ada <ada@example.org>` as `Ada`. */
const nameOf = (author: string | null): string | null => author?.replace(/\s*<[^>]*>\s*$/, '') || null;

/** Null unless both of the first are known, without which it would name more than one. */
const join = (first: string | null, second: string | null, third: string | null = null): string | null =>
  first === null || second === null ? null : [first, second, ...(third === null ? [] : [third])].join('/');
