import type { Value } from '../tree/node.ts';
import { isPlain } from '../tree/plain.ts';
import { DECIMAL, isTag, readDate, type Tag, TAGS, UNUSUAL } from '../tree/tagged.ts';
import { addPart, type Draft, enter, type Job, readList, report, take, takeObject, within } from './reading.ts';

/** Data as it is; what is ignored is only looked through for what is forbidden anywhere. */
export const readData = (job: Job): unknown => {
  const { raw, role } = job;
  const wanted = role === 'data';
  if (typeof raw === 'string') return wanted && !within(job, 'stringLength', raw.length) ? undefined : raw;
  if (typeof raw !== 'object' || raw === null) {
    return wanted && raw !== null && typeof raw !== 'boolean' && !Number.isFinite(raw)
      ? report(job, 'constant.unsupported', 'JSON data', { found: raw })
      : raw;
  }
  if (Array.isArray(raw)) return enter(job) ? readList(job, role) : undefined;
  const given = take(job);
  const tag = given?.get('$tag');
  if (wanted && isTag(tag) && job.reading.mode !== 'shape') return readTagged(job, tag, given, true);
  if (wanted && !isPlain(raw)) return report(job, 'constant.unsupported', 'a plain object, not an instance of a class');
  if (!given || !enter(job) || !within(job, 'items', given.size)) return undefined;
  const data: Draft = {};
  // In the order of the canonical form: trees with one hash must give one value, `Object.keys` of a constant too.
  for (const key of [...given.keys()].sort().reverse()) {
    if (wanted) within(job, 'stringLength', key.length, key);
    addPart(job, key, given.get(key), role, data);
  }
  return data;
};

/** The value of a constant that has a type: the wrapper of its tag, or the bare form. */
export const readTyped = (job: Job): Value => {
  const { raw } = job;
  const tag = job.role as Tag;
  const given = takeObject(job);
  const wrapped = given?.get('$tag') === tag;
  const inFields = wrapped || tag === 'regexp';
  return readTagged(job, tag, inFields ? given : new Map([[TAGS[tag][0], raw]]), wrapped);
};

/** What the fields of each tag hold. */
const CONTENTS: Readonly<Record<Tag, string>> = {
  date: 'an RFC 3339 text such as "2026-01-31T10:00:00Z"',
  bigint: 'a decimal text',
  regexp: '`source` and `flags`, both texts',
  undefined: 'no value',
  number: '"NaN", "Infinity" or "-Infinity"',
};

const readTagged = (job: Job, tag: Tag, given: ReadonlyMap<unknown, unknown> | undefined, wrapped: boolean): Value => {
  const fields = TAGS[tag];
  const exact = given?.size === fields.length + (wrapped ? 1 : 0);
  const [content, flags] = exact ? fields.map((field) => given.get(field)) : [];
  const text = typeof content === 'string' ? content : '';
  let value: Value;
  if (tag === 'undefined' && exact) return undefined;
  if (tag === 'date') value = readDate(text, wrapped);
  if (tag === 'number' && (UNUSUAL.test(text) || (!wrapped && Number.isFinite(content)))) value = Number(content);
  if (tag === 'bigint' && (DECIMAL.test(text) || (!wrapped && Number.isSafeInteger(content)))) {
    if (!within(job, 'bigintDigits', text.replace('-', '').length)) return undefined;
    value = BigInt(content as string | number);
  }
  if (tag === 'regexp' && typeof content === 'string' && typeof flags === 'string') {
    if (!within(job, 'regexpLength', content.length)) return undefined;
    try {
      value = new RegExp(content, flags);
    } catch (error) {
      return report(job, 'constant.encoding', `a legal regexp: ${(error as Error).message}`);
    }
  }
  if (value !== undefined) return value;
  return wrapped
    ? report(job, 'constant.encoding', `\`$tag\` ${tag} with ${CONTENTS[tag]} and nothing else`, { found: content })
    : report(job, 'constant.typeMismatch', `a value of type ${tag}: ${CONTENTS[tag]}`, { found: job.raw });
};
