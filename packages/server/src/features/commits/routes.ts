import { createHash } from 'node:crypto';
import { type ChangedFile, type CommitsSent, type Issue, endpoints, parseTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { MAX_ISSUES, refusal } from '../../validation.ts';
import { codeownersIssue } from '../owners/codeowners.ts';
import { projectRevision } from '../projects/queries.ts';
import { commitsBetween } from './between.ts';
import { commitCommands } from './commands.ts';

export const commitRoutes = ({ queries, writer }: Context): Route[] => [
  action(endpoints.sendCommits, async ({ body }) => {
    const issues = issuesOf(body);
    if (issues.length > 0) throw refusal('invalid_body', issues.slice(0, MAX_ISSUES));
    const { success, missing, wantsOwners } = await writer.execute(commitCommands.storeCommits, readSent(body));
    return { success, missing, wantsOwners };
  }),
  read(endpoints.listCommits, {
    revision: ({ params }) => projectRevision(queries, params.id),
    answer: async ({ params, query: { from, to } }) => ({
      body: await commitsBetween(queries, params.id, from ?? null, to),
    }),
  }),
];

/** What else a body has stays here: it may be nested too deep for a message. */
const readSent = ({ projectName, branch, history, commits, owners }: CommitsSent): CommitsSent => ({
  projectName: projectName.trim().toWellFormed(),
  branch,
  history,
  commits: commits?.map(({ hash, parents, time, author, subject, files, moreFiles }) => ({
    hash,
    parents,
    time,
    author,
    subject,
    files: files && files.map(readFile),
    moreFiles,
  })),
  owners: owners && {
    hash: owners.hash,
    text: owners.text,
    files: owners.files?.map(({ file, path }) => ({ file, path })),
  },
});

const readFile = ({ path, change, from }: ChangedFile): ChangedFile => ({
  path: path.toWellFormed(),
  change,
  from: from?.toWellFormed(),
});

/** What a schema cannot say. */
const issuesOf = ({ commits = [], owners }: CommitsSent): Issue[] => {
  const issues: Issue[] = [];
  for (const [nth, { hash, parents, time }] of commits.entries()) {
    if (parseTime(time) === null) issues.push({ path: `/commits/${nth}/time`, message: 'must be an ISO 8601 time' });
    if (parents.includes(hash)) issues.push({ path: `/commits/${nth}/parents`, message: 'must not have its own hash' });
  }
  const text = owners?.text;
  if (text === undefined) return issues;
  if (createHash('sha256').update(text).digest('hex') !== owners!.hash) {
    issues.push({ path: '/owners/hash', message: 'must be the SHA-256 of owners.text' });
  }
  const issue = codeownersIssue(text);
  if (issue) issues.push({ path: '/owners/text', message: issue });
  return issues;
};
