import type { TestServer } from '../server.ts';

const ABOUT_RUN = ['/network-requests', '/comparison', '/explanation', '/verdicts', '/clusters'];

/**
 * Every answer that people read of an installation, or of one of its projects, by its address. A run tells what each of its
 * cases has, so that the cases of the first run are read alone, and of each other run one; what is said about a run comes
 * from the same, so that all of it is read of the first run, and one of it in turn of each other run.
 */
export const readAnswers = async (
  { url }: Pick<TestServer, 'url'>,
  projectName?: string,
): Promise<Map<string, string>> => {
  const answers = new Map<string, string>();
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`);
    const body = await response.text();
    answers.set(path, `${response.status} ${body}`);
    return /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(body) : body;
  };
  const projects = (await read('/api/projects')) as { id: number; name: string }[];
  for (const { id, name } of projects) {
    if (name !== (projectName ?? name)) continue;
    const project = `/api/projects/${id}`;
    const { testRuns } = (await read(project)) as { testRuns: { id: number }[] };
    for (const path of [
      '/test-cases',
      '/flaky-tests',
      '/slow-tests',
      '/performance',
      '/branches',
      '/causes',
      '/clusters',
      '/flake-cost',
      '/changed-tests',
      '/views',
      '/owners',
    ])
      await read(project + path);
    for (const [position, { id: runId }] of testRuns.entries()) {
      const { testCases } = (await read(`/api/test-runs/${runId}`)) as { testCases: { id: number }[] };
      for (const [nth, path] of ABOUT_RUN.entries()) {
        if (position === 0 || nth === position % ABOUT_RUN.length) await read(`/api/test-runs/${runId}${path}`);
      }
      for (const [nth, { id: caseId }] of testCases.entries()) {
        if (position > 0 && nth !== position % testCases.length) continue;
        const { attachments, traces } = (await read(`/api/test-cases/${caseId}`)) as Record<
          'attachments' | 'traces',
          { path: string }[]
        >;
        for (const { path } of [...attachments, ...traces]) await read(`/api/files/${path}`);
      }
    }
  }
  await read('/api/search?q=pay');
  return answers;
};
