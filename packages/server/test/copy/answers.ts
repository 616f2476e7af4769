import type { TestServer } from '../server.ts';

/** Every answer of an installation that people read, by its address. */
export const readAnswers = async ({ url }: Pick<TestServer, 'url'>): Promise<Map<string, string>> => {
  const answers = new Map<string, string>();
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`);
    const body = await response.text();
    answers.set(path, `${response.status} ${body}`);
    return /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(body) : body;
  };
  const projects = (await read('/api/projects')) as { id: number }[];
  for (const { id } of projects) {
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
    for (const { id: runId } of testRuns) {
      const { testCases } = (await read(`/api/test-runs/${runId}`)) as { testCases: { id: number }[] };
      for (const path of ['/network-requests', '/comparison', '/explanation', '/verdicts', '/clusters'])
        await read(`/api/test-runs/${runId}${path}`);
      for (const { id: caseId } of testCases) {
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
