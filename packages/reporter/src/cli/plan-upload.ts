import { randomUUID } from 'node:crypto';
import { type FilesImported, type ImportedRun, chooseAttachments, planParts, submissionOf } from '@assay/import';
import { describeSource } from '../ci/describe-source.ts';
import { runKeyOf } from '../ci/run-key.ts';
import type { Source } from '../ci/source.ts';
import type { Delivery, ReportToSend } from '../delivery/delivery.ts';
import type { Options } from '../options/options.ts';
import { UsageError } from './read-arguments.ts';

export interface UploadSettings {
  readonly options: Options;
  readonly source: Source;
  /** That all files are of, whatever they say. */
  readonly shard: ImportedRun['shard'];
  readonly reports: readonly ReportToSend[];
}

/** One delivery, or one for each shard that the files are of; reports that are given go with the first. */
export const planUpload = (files: FilesImported, settings: UploadSettings): Delivery[] => {
  const { runs } = files;
  const { options, source, shard, reports } = settings;
  const buildKey = runKeyOf(source.ci, options.projectName, [process.platform, 'upload']);
  const planned = planParts(runs, { shard, runKey: options.runKey, buildKey });
  if (!planned.ok) throw new UsageError(PROBLEMS[planned.problem]);
  const { metadata, ...told } = describeSource(source);
  return runs.map((run, at) => {
    const { cases, attachments } = chooseAttachments(run, options.attachments);
    return {
      submission: submissionOf({ ...run, cases }, files, {
        projectName: options.projectName,
        ...told,
        ...planned.parts[at],
        metadata: options.metadata,
        found: metadata,
      }),
      idempotencyKey: randomUUID(),
      reports: [...(at === 0 ? reports : []), ...blobOf(run, settings)],
      traces: options.uploadTraces ? run.traces : [],
      attachments,
    };
  });
};

const PROBLEMS = {
  'several shards': '--shard names one shard, but these files come from several',
  'no run key': '--shard needs --run-key, which is the same for all shards of a run',
};

/** A blob is a report too, from which Assay can make others. There is one of a type in a part. */
const blobOf = ({ blobs }: ImportedRun, { options, reports }: UploadSettings): ReportToSend[] => {
  if (!options.uploadReports || blobs.length !== 1 || reports.some(({ type }) => type === 'blob')) return [];
  const label = options.labels['blob'];
  return [{ type: 'blob', path: blobs[0]!, ...(label === undefined ? {} : { label }) }];
};
