import { createHash } from 'node:crypto';
import type { Client, Commit, Submission } from '@assay/contract';

const MAIN = 'main';

interface Scm {
  readonly author: string;
  readonly message: string;
}

/** Remembers the commits of made-up runs, and tells them as a reporter would: each on the one before it on its branch. */
export const createDemoCommits = () => {
  const projects = new Map<string, { commits: Commit[]; latest: Map<string, string>; folders: Set<string> }>();
  return {
    add({ projectName, branch, commit, startTime, metadata, testCases }: Submission): void {
      if (!branch || !commit) return;
      let project = projects.get(projectName);
      if (!project) projects.set(projectName, (project = { commits: [], latest: new Map(), folders: new Set() }));
      const { scm } = metadata as { scm: Scm };
      const parent = project.latest.get(branch) ?? project.latest.get(MAIN);
      const feature = /\((.+)\)/.exec(scm.message)?.[1] ?? 'app';
      project.commits.push({
        hash: commit,
        parents: parent === undefined ? [] : [parent],
        time: startTime,
        author: scm.author,
        subject: scm.message,
        files: [{ path: `src/${feature}/${feature}.ts`, change: 'modified' }],
      });
      project.latest.set(branch, commit);
      for (const { location } of testCases ?? []) {
        const folder = location?.split('/').slice(0, -1).join('/');
        if (folder) project.folders.add(folder);
      }
    },
    /** Teams own the folders of tests in turn; the last folder is nobody's. */
    async send(client: Client): Promise<void> {
      for (const [projectName, { commits, folders }] of projects) {
        const rules = [...folders].sort().map((folder, nth, all) => {
          return nth === all.length - 1 ? `/${folder}/` : `/${folder}/ ${TEAMS[nth % TEAMS.length]}`;
        });
        const text = `# Who looks after which tests\n* @acme/quality\n${rules.join('\n')}\n`;
        const owners = { hash: createHash('sha256').update(text).digest('hex'), text };
        await client.sendCommits({ body: { projectName, branch: MAIN, owners } });
        for (let first = 0; first < commits.length; first += COMMITS_AT_ONCE) {
          const some = commits.slice(first, first + COMMITS_AT_ONCE);
          await client.sendCommits({ body: { projectName, branch: MAIN, commits: some } });
        }
      }
    },
  };
};

const COMMITS_AT_ONCE = 200;
const TEAMS = ['@acme/checkout', '@acme/catalogue', '@acme/accounts', '@acme/platform @acme/design'];
