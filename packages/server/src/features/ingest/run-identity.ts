import { type Issue, MAX_METADATA_BYTES, type RunStart, parseTime, projectNameIssue } from '@assay/contract';
import { type Change, changeOf, scmPlaces, textIn } from '../../scm.ts';
import { depthIssue } from './json-depth.ts';

/** Which run a submission, or the start of one, belongs to, and what it says of it. */
export interface RunIdentity {
  readonly projectName: string;
  readonly startTime: number;
  readonly branch: string | null;
  readonly commit: string | null;
  /** Of the repository, as the sender knows it. */
  readonly defaultBranch: string | null;
  readonly metadataJson: string | null;
  readonly change: Change;
  readonly runKey: string | null;
  readonly shard: { readonly index: number; readonly total: number } | null;
  readonly attempt: number;
}

type Given = Omit<RunStart, 'expectedTests'>;

/** What a schema cannot say. */
export const runIdentityIssues = (given: Given): Issue[] => {
  const issues: Issue[] = [];
  const nameIssue = projectNameIssue(projectNameOf(given));
  if (nameIssue) issues.push({ path: '/projectName', message: nameIssue });
  if (parseTime(given.startTime) === null) issues.push({ path: '/startTime', message: 'must be an ISO 8601 time' });
  const metadataIssue = depthIssue('/metadata', given.metadata) ?? sizeIssue('/metadata', given.metadata);
  if (metadataIssue) issues.push(metadataIssue);
  if (given.shard) {
    if (given.shard.index > given.shard.total) {
      issues.push({ path: '/shard/index', message: 'must not be higher than shard.total' });
    }
    if ((given.runKey ?? null) === null) {
      issues.push({ path: '/runKey', message: 'is required with shard: it names the run that the shards make' });
    }
  }
  return issues;
};

const sizeIssue = (path: string, metadata: unknown): Issue | null => {
  const bytes = Buffer.byteLength(JSON.stringify(metadata ?? null));
  if (bytes <= MAX_METADATA_BYTES) return null;
  return { path, message: `must have at most ${MAX_METADATA_BYTES} bytes as JSON, not ${bytes}` };
};

export const readRunIdentity = (given: Given): RunIdentity => {
  const metadata = given.metadata ?? null;
  return {
    ...scmOf(given),
    projectName: projectNameOf(given),
    defaultBranch: given.defaultBranch?.trim() || null,
    startTime: parseTime(given.startTime)!,
    metadataJson: metadata === null ? null : JSON.stringify(metadata),
    change: changeOf(metadata),
    runKey: given.runKey ?? null,
    shard: given.shard ? { index: given.shard.index, total: given.shard.total } : null,
    attempt: given.attempt ?? 1,
  };
};

const projectNameOf = ({ projectName }: Pick<Given, 'projectName'>): string => projectName.trim().toWellFormed();

/** Branch and commit where reporters put them: beside the status, or in the metadata. */
const scmOf = ({ branch, commit, metadata }: Given): { branch: string | null; commit: string | null } => {
  const places = [{ branch, commit }, ...scmPlaces(metadata)];
  return { branch: textIn(places, 'branch'), commit: textIn(places, 'commit') };
};
