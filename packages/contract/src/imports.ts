import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { IdempotencyHeader, ProjectNameOfRun, Status, SubmissionReply, Text } from './ingest.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { Count } from './schema.ts';

const ImportQuery = Type.Object({
  projectName: ProjectNameOfRun,
  branch: Type.Optional(Text),
  commit: Type.Optional(Text),
  defaultBranch: Type.Optional(Text),
  runKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Names the run in its project: files that come with the same key belong to the same run',
    }),
  ),
  shard: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$',
      description: 'Such as `1/3`: the files are one shard of the run that `runKey` names',
    }),
  ),
  attempt: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'How often CI has tried this part' }),
  ),
  root: Type.Optional(
    Type.String({
      maxLength: MAX_TEXT_LENGTH,
      description: 'The directory of the repository where the tests ran: file paths below it become relative to it',
    }),
  ),
  incomplete: Type.Optional(
    Type.Boolean({
      description:
        'Whether to store what can be read of a damaged report, as an interrupted run; otherwise it is refused',
    }),
  ),
});

const ImportReply = Type.Object(
  {
    ...SubmissionReply.properties,
    status: Status,
    totalTests: Count,
    passedTests: Count,
    failedTests: Count,
    skippedTests: Count,
    flakyTests: Count,
    formats: Type.Array(Type.Object({ format: Type.String(), files: Count })),
    warnings: Type.Array(Type.String(), { description: 'Files that were left out and why, and damage' }),
  },
  { title: 'ImportReply', description: 'The counts are those of the files, which may be one part of the run' },
);
export type ImportReply = Static<typeof ImportReply>;

export const importEndpoints = {
  importReports: endpoint({
    method: 'POST',
    path: '/api/import',
    access: 'submitter',
    group: 'Submission',
    summary: 'Import reports of other tools as a test run',
    description:
      'Takes reports as `assay upload` does: one file as the body, or several as the parts of a form. The format is detected by content: JUnit XML, TestNG, TRX, NUnit, xUnit.net, Robot Framework, Playwright JSON and blob, Jest, Vitest, Mocha, mochawesome, Cucumber and RSpec JSON, `go test -json`, TAP, subunit, CTRF, Allure results. An archive (zip, tar, tar.gz) is searched for reports like a directory, and so is what comes under a file name with a directory in it: what is no report there is left out. All files make one run; nothing is stored when one of them is refused.',
    query: ImportQuery,
    headers: IdempotencyHeader,
    bodyType: 'multipart/form-data',
    takesAnyBody: true,
    body: Type.Object({
      file: Type.Unsafe<Blob>({
        type: 'string',
        contentMediaType: 'application/octet-stream',
        description: 'A report or an archive of reports; may be sent several times, under any name',
      }),
    }),
    reply: ImportReply,
    errors: [
      'invalid_body',
      'invalid_header',
      'invalid_query',
      'unsafe_archive',
      'damaged_report',
      'request_timeout',
      'run_full',
      'body_too_large',
    ],
  }),
};
