import { randomUUID } from 'node:crypto';
import { type FilesImported, type ImportedRun, submissionOf } from '@assay/import';
import { describeSource } from '../ci/describe-source.ts';
import { type Part, partOf, runKeyOf } from '../ci/run-key.ts';
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
  const parts = shard === null ? runs : runs.map((run) => ({ ...run, shard }));
  if (shard !== null && runs.length > 1) {
    throw new UsageError('--shard names one shard, but these files come from several');
  }
  const derived = runKeyOf(source.ci, options.projectName, [process.platform, 'upload']);
  // Parts of one call belong together, whether or not a CI system has a name for that.
  const ownKey = parts.length > 1 ? `upload-${randomUUID()}` : null;
  const shardKey = options.runKey ?? derived ?? ownKey;
  if (shard !== null && shardKey === null) {
    throw new UsageError('--shard needs --run-key, which is the same for all shards of a run');
  }
  const { metadata, ...told } = describeSource(source);
  return parts.map((run, at) => ({
    submission: submissionOf(run, files, {
      projectName: options.projectName,
      ...told,
      ...(parts.length > 1
        ? amongOthers(shardKey!, run.shard)
        : partOf(run.shard ? shardKey : options.runKey, run.shard)),
      metadata: options.metadata,
      found: metadata,
    }),
    idempotencyKey: randomUUID(),
    reports: [...(at === 0 ? reports : []), ...blobOf(run, settings)],
    traces: options.uploadTraces ? run.traces : [],
  }));
};

/** A blob is a report too, from which Assay can make others. There is one of a type in a part. */
const blobOf = ({ blobs }: ImportedRun, { options, reports }: UploadSettings): ReportToSend[] => {
  if (!options.uploadReports || blobs.length !== 1 || reports.some(({ type }) => type === 'blob')) return [];
  const label = options.labels['blob'];
  return [{ type: 'blob', path: blobs[0]!, ...(label === undefined ? {} : { label }) }];
};

/** Files of no shard beside files of some are not the only part. */
const amongOthers = (runKey: string, shard: ImportedRun['shard']): Part => {
  const { shard: own, ...part } = partOf(runKey, shard);
  return shard === null ? part : { ...part, shard: own };
};
