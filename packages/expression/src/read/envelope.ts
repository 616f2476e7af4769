import { readJson } from './json.ts';
import { readFields } from './node.ts';
import { type Draft, isObject, type Job, pull, report, take } from './reading.ts';

/** The version of the format that is written here and the newest that is read. */
export const VERSION = 1;

const ENVELOPE = 'an object with `v` and `root`';

export const readEnvelope = (job: Job): Draft | undefined => {
  if (typeof job.raw === 'string') {
    job.raw = readJson(job, job.raw);
    if (job.raw === undefined) return undefined;
  }
  if (!isObject(job.raw) || !Object.hasOwn(job.raw, 'v')) return report(job, 'envelope.malformed', ENVELOPE);
  const given = take(job);
  if (!given) return undefined;
  const version = pull(given, 'v');
  if (version !== undefined && !(Number.isInteger(version) && (version as number) >= 1))
    return report(job, 'envelope.version.invalid', 'an integer of at least 1', 'v');
  if ((version as number) > VERSION) {
    const message = `Here belongs no version above ${VERSION}: a newer one is not understood.`;
    const details = { found: version, supported: VERSION };
    job.reading.issues.unshift({ code: 'envelope.version.newer', path: '/v', message, details });
    return undefined;
  }
  if (version === undefined || !given.has('root')) return report(job, 'envelope.malformed', ENVELOPE);
  return readFields(job, given, ['root']);
};
