import { readData, readTyped } from './constant.ts';
import { readEnvelope } from './envelope.ts';
import { checkWhole, readEntry, readNode, readOperator, readSpan, readText } from './node.ts';
import { type Job, MAX_ISSUES, readList, report } from './reading.ts';

/** Reads something and all below it, without recursion, and freezes what it makes. */
export const read = (first: Job): unknown => {
  const { issues, limits, jobs } = first.reading;
  const made: Job[] = [];
  jobs.push(first);
  for (let job = jobs.pop(); job; job = jobs.pop()) {
    if (issues.length >= MAX_ISSUES || first.reading.nodes > limits.nodes) return undefined;
    try {
      const part = job.role.endsWith('[]')
        ? readList(job, job.role.slice(0, -2) as Job['role'])
        : (READERS[job.role] ?? readTyped)(job);
      job.target[job.key] = part;
      if (typeof part === 'object') made.push(job);
    } catch {
      report(job, 'value.unreadable', 'a value that can be read');
    }
  }
  for (const job of made) {
    const part = job.target[job.key]!;
    if (job.role === 'node' || job.role === 'element') checkWhole(job, part);
    Object.freeze(part);
  }
  return first.target[first.key];
};

const READERS: Partial<Record<Job['role'], (job: Job) => unknown>> = {
  envelope: readEnvelope,
  node: readNode,
  element: readNode,
  property: readEntry,
  span: readSpan,
  text: readText,
  name: readText,
  param: readText,
  flag: (job) => job.raw === true || report(job, 'field.onlyTrue', 'true or no field', { found: job.raw }),
  operator: readOperator,
  data: readData,
  ignored: readData,
};
