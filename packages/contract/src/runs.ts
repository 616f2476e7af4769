import { type Static, Type } from 'typebox';
import { TestCase } from './cases.ts';
import { COMPARED_RUNS, RunComparison } from './comparison.ts';
import { OtherRunChoice, RunDifferences } from './differences.ts';
import { endpoint } from './endpoint.ts';
import { MOST_EXPLAINED, RunExplanation } from './explanation.ts';
import { EXPORTS } from './exports.ts';
import { Id } from './ids.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { ProjectOfCode } from './project-name.ts';
import { Report, Run, runMetadata } from './run.ts';
import { Count, Nullable, paging } from './schema.ts';
import { RunVerdicts } from './verdicts.ts';
import { withCommas } from './with-commas.ts';

export const RunWithReports = Type.Object(
  { ...Run.properties, reports: Type.Array(Report) },
  { title: 'RunWithReports' },
);
export type RunWithReports = Static<typeof RunWithReports>;

export const RunDetails = Type.Object(
  {
    ...RunWithReports.properties,
    metadata: runMetadata,
    project: ProjectOfCode,
    testCases: Type.Array(TestCase),
  },
  { title: 'RunDetails' },
);
export type RunDetails = Static<typeof RunDetails>;

export const RequestGroup = Type.Object(
  {
    method: Type.String(),
    route: Type.String(),
    count: Count,
    avgDuration: Nullable(Type.Integer()),
    maxDuration: Nullable(Type.Number()),
    minDuration: Nullable(Type.Number()),
    p90Duration: Nullable(Type.Number()),
    errorRate: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Per cent of answers with a status of 400 and above, or of 0',
    }),
    testCases: Type.Array(Type.String(), { description: 'Titles of the cases that made such a request' }),
    testCaseIds: Type.Array(Id),
  },
  { title: 'RequestGroup' },
);
export type RequestGroup = Static<typeof RequestGroup>;

const params = Type.Object({ id: Id });

export const runEndpoints = {
  getRun: endpoint({
    method: 'GET',
    path: '/api/test-runs/{id}',
    access: 'public',
    group: 'Runs',
    summary: 'A run with its test cases',
    description:
      '`limit` and `cursor` page the test cases. A shard that arrives between two pages moves no test case from one to the other; those of it that come before the cursor are on no later page.',
    params,
    query: Type.Object({
      ...paging,
      details: Type.Optional(
        Type.Boolean({ description: '`false` leaves steps, requests, vitals and attempts out', default: true }),
      ),
    }),
    reply: RunDetails,
    errors: ['invalid_id', 'invalid_query', 'run_not_found', 'run_damaged'],
  }),
  exportRun: endpoint({
    method: 'GET',
    path: '/api/test-runs/{id}/export',
    access: 'public',
    group: 'Runs',
    summary: 'A run as a file, to be read by people or other tools',
    description: [
      `\`html\` is one file that opens in any browser without a network. ${EXPORTS.html.loss}`,
      `\`json\` is a submission: \`POST /api/test-runs/submit\` takes it and stores the same results. ${EXPORTS.json.loss}`,
      `\`junit\` is JUnit XML. ${EXPORTS.junit.loss}`,
      `\`ctrf\` is the Common Test Report Format. ${EXPORTS.ctrf.loss}`,
      `\`csv\` has a line for each result, as RFC 4180 says. ${EXPORTS.csv.loss}`,
      'The header `Assay-Loss` says the same.',
    ].join('\n\n'),
    params,
    query: Type.Object({
      format: Type.Union([
        Type.Literal('html'),
        Type.Literal('json'),
        Type.Literal('junit'),
        Type.Literal('ctrf'),
        Type.Literal('csv'),
      ]),
    }),
    reply: Type.Unknown(),
    replyType: 'application/octet-stream',
    errors: ['invalid_id', 'invalid_query', 'run_not_found', 'run_damaged'],
  }),
  findRun: endpoint({
    method: 'GET',
    path: '/api/run-keys',
    access: 'public',
    group: 'Runs',
    summary: 'The run that a run key names',
    query: Type.Object({
      projectName: Type.String({ minLength: 1 }),
      runKey: Type.String({ minLength: 1, maxLength: 200, description: 'As it was submitted' }),
    }),
    reply: Type.Object({ testRunId: Id, projectId: Id }),
    errors: ['invalid_query', 'run_not_found'],
  }),
  listRunRequests: endpoint({
    method: 'GET',
    path: '/api/test-runs/{id}/network-requests',
    access: 'public',
    group: 'Runs',
    summary: 'The network requests of a run by method and route',
    description: 'Slowest average first. Images, fonts, styles and scripts are left out.',
    params,
    query: Type.Object(paging),
    reply: Type.Array(RequestGroup),
    errors: ['invalid_id', 'invalid_query', 'run_not_found', 'run_damaged'],
  }),
  compareRun: endpoint({
    method: 'GET',
    path: '/api/test-runs/{id}/comparison',
    access: 'public',
    group: 'Runs',
    summary: 'A run against those before it: what broke, since when, what was fixed',
    description: `Looks at the ${COMPARED_RUNS} runs of its branch before it, by start and number; the first run of a branch is compared with the default branch of the project, or with runs that name no branch. \`comparedWith\` is the latest of them; null when there are none. \`previousRun\` and \`nextRun\` are its neighbours in the project, whatever their branch.`,
    params,
    reply: RunComparison,
    errors: ['invalid_id', 'run_not_found', 'run_damaged'],
  }),
  explainRun: endpoint({
    method: 'GET',
    path: '/api/test-runs/{id}/explanation',
    access: 'public',
    group: 'Runs',
    summary: 'Why a run is red: the fewest statements that account for its failures',
    description: `Looks for what failures have in common: that they failed before, that their tests were flaky in the ${COMPARED_RUNS} runs before, one cause, one shard, worker, browser or file, or the files that the commits since the base touched, in which far more failed than elsewhere, or a time. What is left has a reason of its own. The page on statistics in the documentation says how it is weighed.`,
    params,
    reply: RunExplanation,
    errors: ['invalid_id', 'run_not_found', 'run_damaged'],
  }),
  judgeFailures: endpoint({
    method: 'GET',
    path: '/api/test-runs/{id}/verdicts',
    access: 'public',
    group: 'Runs',
    summary: 'Which failures of a run its change broke, and which it did not',
    description: `Judges each of at most ${withCommas(MOST_EXPLAINED)} failures by what the test did at the base and before, in earlier runs of the branch and in other runs of the commit, how flaky it is, its cause, and the files that the commits since the base touched. What is not at least 90 % likely is unknown. The page on statistics in the documentation says how it is weighed, and how often it is right.`,
    params,
    query: Type.Object({
      result: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Only the failure that this result is of: `lookedAt` is then 1, or 0 if it did not fail',
        }),
      ),
    }),
    reply: RunVerdicts,
    errors: ['invalid_id', 'invalid_query', 'run_not_found', 'run_damaged'],
  }),
  listDifferences: endpoint({
    method: 'GET',
    path: '/api/test-runs/{id}/differences',
    access: 'public',
    group: 'Runs',
    summary: 'A run beside any other of its project: what differs, test by test',
    description:
      'A renamed or moved test is another test. Slower and faster tests are told by what is usual for them: of runs in which nothing has changed, at most 1 in 100 tests are.',
    params,
    query: Type.Object({
      with: Type.Optional(
        Type.Union(
          [
            OtherRunChoice,
            Type.String({ pattern: '^environment:.+$', maxLength: MAX_TEXT_LENGTH }),
            Type.String({ pattern: '^[1-9]\\d{0,14}$' }),
          ],
          {
            description:
              'The number of the other run, or which one it is; `previous` when left out. `environment:NAME`: the latest run on its commit in that environment, else the latest of its branch in it that had started when this run did',
          },
        ),
      ),
    }),
    reply: RunDifferences,
    errors: ['invalid_id', 'invalid_query', 'run_not_found', 'run_damaged'],
  }),
  mergeReports: endpoint({
    method: 'POST',
    path: '/api/test-runs/{id}/reports/merge',
    access: 'submitter-session',
    group: 'Runs',
    summary: 'Merge the blob reports of a run into one HTML report',
    description:
      'Needs `@playwright/test` beside the service. The HTML report is added to the reports of the run. The service merges one run at a time and stops when the client disconnects; a second request for the same run waits for the same report. Answers 503 with `Retry-After` when too many runs wait.',
    params,
    reply: Type.Object({ success: Type.Literal(true), report: Report }),
    errors: ['invalid_id', 'run_not_found', 'no_blob_reports', 'merge_failed', 'merge_unavailable', 'unavailable'],
  }),
  updateRun: endpoint({
    method: 'PUT',
    path: '/api/test-runs/{id}',
    access: 'submitter-session',
    group: 'Runs',
    summary: 'Pin a run, so that retention keeps it with its files, or unpin it',
    description: 'A pinned run can still be deleted by request: alone, by a cleanup, or with its project.',
    params,
    body: Type.Object({ pinned: Type.Boolean() }),
    reply: Type.Object({ success: Type.Literal(true) }),
    errors: ['invalid_id', 'invalid_body', 'body_too_large', 'unsupported_media_type', 'run_not_found'],
  }),
  deleteRun: endpoint({
    method: 'DELETE',
    path: '/api/test-runs/{id}',
    access: 'administrator',
    group: 'Runs',
    summary: 'Delete a run and everything that belongs to it',
    params,
    reply: Type.Object({ success: Type.Literal(true) }),
    errors: ['invalid_id', 'run_not_found'],
  }),
};
