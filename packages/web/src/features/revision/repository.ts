/** Where commits, files and pull requests of a repository can be looked at. */
export interface Repository {
  commit(hash: string): string;
  file(path: string, line: number | null, revision: string): string;
  pullRequest(number: number): string;
}

interface Layout {
  readonly hosts: RegExp;
  readonly commit: string;
  readonly file: string;
  readonly line: string;
  readonly pullRequest: string;
  /** What stands between a repository and a folder of it. */
  readonly folder: RegExp;
}

/** How hosts of repositories lay out their addresses; what is known of none is laid out as the first. */
const LAYOUTS: readonly Layout[] = [
  {
    hosts: /github/,
    commit: '/commit/',
    file: '/blob/',
    line: '#L',
    pullRequest: '/pull/',
    folder: /\/tree\/[^/]+\//,
  },
  {
    hosts: /gitlab/,
    commit: '/-/commit/',
    file: '/-/blob/',
    line: '#L',
    pullRequest: '/-/merge_requests/',
    folder: /\/-\/tree\/[^/]+\//,
  },
  {
    hosts: /bitbucket/,
    commit: '/commits/',
    file: '/src/',
    line: '#lines-',
    pullRequest: '/pull-requests/',
    folder: /\/src\/[^/]+\//,
  },
  {
    hosts: /gitea|forgejo|codeberg/,
    commit: '/commit/',
    file: '/src/commit/',
    line: '#L',
    pullRequest: '/pulls/',
    folder: /\/src\/branch\/[^/]+\//,
  },
];

/** Of the address of a repository, or of a folder in it where the tests of a project are. */
export const repositoryAt = (address: string): Repository | null => {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { origin, host, pathname } = new URL(address);
  const layout = LAYOUTS.find(({ hosts }) => hosts.test(host)) ?? LAYOUTS[0]!;
  const [repository = '', folder = ''] = pathname.split(layout.folder);
  const base = origin + repository.replace(/(?:\.git)?\/*$/, '');
  const inside = folder.replace(/\/+$/, '');
  return {
    commit: (hash) => base + layout.commit + encodeURIComponent(hash),
    file(path, line, revision) {
      const parts = [...inside.split('/'), ...path.split('/').map(encodeURIComponent)].filter(Boolean);
      const place = `${base}${layout.file}${encodeURIComponent(revision)}/${parts.join('/')}`;
      return line === null ? place : `${place}${layout.line}${line}`;
    },
    pullRequest: (number) => `${base}${layout.pullRequest}${number}`,
  };
};

/** The addresses of CI jobs that stand below the address of their repository. */
const CI_PATHS = /\/(?:actions\/runs|-\/(?:jobs|pipelines)|pipelines\/results)\/.*$/;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** As an Administrator set it, else where the CI of a run says that it ran. */
export const repositoryOf = (set: string | null, metadata?: unknown): Repository | null => {
  if (set !== null) return repositoryAt(set);
  const link = fieldsOf(fieldsOf(metadata)['ci'])['url'];
  return typeof link === 'string' && CI_PATHS.test(link) ? repositoryAt(link.replace(CI_PATHS, '')) : null;
};

export interface PullRequest {
  readonly words: string;
  readonly href: string | null;
}

export const pullRequestOf = (metadata: unknown, repository: Repository | null): PullRequest | null => {
  const { number, link } = fieldsOf(fieldsOf(fieldsOf(metadata)['scm'])['pullRequest']);
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return null;
  const given = typeof link === 'string' && /^https?:\/\//i.test(link) && URL.canParse(link) ? link : null;
  return { words: `Pull request #${number}`, href: given ?? repository?.pullRequest(number) ?? null };
};
