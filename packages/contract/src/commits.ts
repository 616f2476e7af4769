import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { ProjectNameOfRun, Text } from './ingest.ts';
import {
  MAX_CHANGED_FILES,
  MAX_COMMITS,
  MAX_NAME_LENGTH,
  MAX_OWNERS_LENGTH,
  MAX_PARENTS,
  MAX_SPELLED_FILES,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
} from './limits.ts';
import { Count, Maybe, Nullable } from './schema.ts';

export const CommitHash = Type.String({
  pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$',
  description: 'In full, in lower case',
});

const ShortHash = Type.String({ pattern: '^[0-9a-f]{7,64}$', description: 'At least the first 7 characters' });

const Path = Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, description: 'From the root of the repository' });

export const ChangedFile = Type.Object(
  {
    path: Path,
    change: Type.Union([
      Type.Literal('added'),
      Type.Literal('modified'),
      Type.Literal('deleted'),
      Type.Literal('renamed'),
    ]),
    from: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, description: 'Of a renamed file: its path before' }),
    ),
  },
  { title: 'ChangedFile' },
);
export type ChangedFile = Static<typeof ChangedFile>;

export const Commit = Type.Object(
  {
    hash: CommitHash,
    parents: Type.Array(CommitHash, { maxItems: MAX_PARENTS }),
    time: Type.String({ maxLength: 40, description: 'When it was committed: ISO 8601' }),
    author: Type.String({ maxLength: MAX_NAME_LENGTH }),
    subject: Type.String({ maxLength: MAX_TITLE_LENGTH, description: 'First line of its message' }),
    files: Nullable(Type.Array(ChangedFile, { maxItems: MAX_CHANGED_FILES }), {
      description:
        'What changed since its first parent; null when that is not known, as of the last commit of a shallow clone',
    }),
    moreFiles: Type.Optional(Type.Integer({ ...Count, description: 'Files that changed beyond those of `files`' })),
  },
  { title: 'Commit' },
);
export type Commit = Static<typeof Commit>;

const SpelledFile = Type.Object(
  {
    file: Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, description: 'As locations of results spell it' }),
    path: Nullable(Path, { description: 'Null when it could be several files, or none' }),
  },
  { title: 'SpelledFile' },
);
export type SpelledFile = Static<typeof SpelledFile>;

const SentOwners = Type.Object(
  {
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the text, as UTF-8, in hexadecimal' }),
    text: Type.Optional(
      Type.String({ maxLength: MAX_OWNERS_LENGTH, description: 'Needed only where the reply asks for it' }),
    ),
    files: Type.Optional(
      Type.Array(SpelledFile, {
        maxItems: MAX_SPELLED_FILES,
        description: 'Files that results spell differently from their path in the repository',
      }),
    ),
  },
  { title: 'SentOwners' },
);

export const CommitsSent = Type.Object(
  {
    projectName: ProjectNameOfRun,
    branch: Maybe(Text),
    history: Type.Optional(
      Type.Array(CommitHash, { maxItems: MAX_COMMITS, description: 'Commits of which the reply says which it lacks' }),
    ),
    commits: Type.Optional(Type.Array(Commit, { maxItems: MAX_COMMITS })),
    owners: Type.Optional(
      Nullable(SentOwners, {
        description:
          'The CODEOWNERS file of the checkout; null says that it has none. Only the default branch changes what another branch has told',
      }),
    ),
  },
  { title: 'CommitsSent' },
);
export type CommitsSent = Static<typeof CommitsSent>;

export const CommitsReply = Type.Object(
  {
    success: Type.Literal(true),
    missing: Type.Array(CommitHash, {
      description: 'Commits of `history` that are not stored, or without their files',
    }),
    wantsOwners: Type.Boolean({ description: 'Whether the text with the hash of `owners` is to be sent' }),
  },
  { title: 'CommitsReply' },
);
export type CommitsReply = Static<typeof CommitsReply>;

export const MOST_COMMITS_BETWEEN = 1_000;

export const CommitsBetween = Type.Object(
  {
    commits: Type.Array(Commit, { description: 'The newest first' }),
    complete: Type.Boolean({ description: 'False when there may be more, because older commits are not known' }),
    endsAt: Nullable(CommitHash, { description: 'One behind which the history is not known' }),
    shallow: Type.Boolean({ description: 'Whether the history ends there because the clone that told it was shallow' }),
  },
  { title: 'CommitsBetween' },
);
export type CommitsBetween = Static<typeof CommitsBetween>;

export const commitEndpoints = {
  sendCommits: endpoint({
    method: 'POST',
    path: '/api/commits',
    access: 'submitter',
    group: 'Submission',
    summary: 'Tell the commits and the owners of a project',
    description: `For a project that exists. Ask with \`history\` first, then send what is missing: at most ${MAX_COMMITS} commits at once, in several requests when they are more than 1 MiB. The reporters do this after they have sent a run.`,
    body: CommitsSent,
    reply: CommitsReply,
    errors: ['invalid_body', 'project_not_found', 'body_too_large', 'unsupported_media_type'],
  }),
  listCommits: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/commits',
    access: 'public',
    group: 'Projects',
    summary: 'The commits between two',
    description: `Those that \`to\` contains and \`from\` does not, at most ${MOST_COMMITS_BETWEEN}; without \`from\`, all that \`to\` contains.`,
    params: Type.Object({ id: Id }),
    query: Type.Object({ from: Type.Optional(ShortHash), to: ShortHash }),
    reply: CommitsBetween,
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
