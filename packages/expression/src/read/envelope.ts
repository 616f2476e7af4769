import { readJson } from './json.ts';
import { readFields } from './node.ts';
import { type Draft, isObject, type Job, MAX_ISSUES, pull, report, takeObject } from './reading.ts';

/** The version of the format that is written here and the newest that is read. */
export const VERSION = 1;

export const readEnvelope = (job: Job): Draft | undefined => {
  if (typeof job.raw === 'string') {
    job.raw = readJson(job, job.raw);
    if (job.raw === undefined) return undefined;
  }
  const given = takeObject(job);
  if (!given) return undefined;
  const version = pull(given, 'v');
  if (version !== undefined && !(Number.isInteger(version) && (version as number) >= 1))
    return report(job, 'envelope.version.invalid', 'a version that is an integer of at least 1', {
      key: 'v',
      found: version,
    });
  if ((version as number) > VERSION) {
    const { issues } = job.reading;
    // For this one there is always room.
    issues.splice(MAX_ISSUES - 1);
    const details = { found: version, supported: VERSION };
    report(job, 'envelope.version.newer', `a version up to ${VERSION}, the newest that is known`, {
      key: 'v',
      found: version,
      details,
    });
    issues.unshift(issues.pop()!);
    return undefined;
  }
  if (version === undefined || !given.has('root'))
    return report(job, 'envelope.malformed', 'an object with `v` and `root`', {
      found: isObject(job.raw) ? undefined : job.raw,
    });
  return readFields(job, given, ['root']);
};
