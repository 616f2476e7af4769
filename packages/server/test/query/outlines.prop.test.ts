import { isFlaky } from '@assay/contract';
import { type FilterRow, RESULT_FIELDS, readFilterText, withStatuses } from '@assay/contract/filter';
import { draws } from '@assay/testkit';
import { anyCharacter } from '@assay/testkit/any-character';
import { functionOver, searchOver } from '@assay/testkit/filter-texts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSkipping } from '../../src/features/query/may-match.ts';
import { packOutlines, unpackOutlines } from '../../src/segments/outline-pack.ts';
import { OUTLINE_BYTES_PER_RESULT, buildOutline, readOutline } from '../../src/segments/outline.ts';
import { addOutcome, decodeResults, finishResults, putPlace, startResults } from '../../src/segments/results.ts';

const STATUSES = ['passed', 'failed', 'skipped', 'timedOut', 'broken', 'odd'];
/** What becomes longer, shorter or another letter in lower case, and what is one letter of two units. */
const TEXTS = [
  'connect ECONNREFUSED',
  'refused',
  'ΑΣ',
  'ασα',
  'ΟΔΟΣ',
  'İstanbul',
  'istanbul',
  '\u212a elvin',
  'k elvin',
].concat(['𐐀𐐁𐐂', '𐐨𐐩𐐪', 'straße', 'STRASSE', 'ﬃx', 'e\u0301t\u00e9', '%', '', 'a b c', '\u0000null']);

const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.array(fc.constantFrom(...TEXTS, ' ', '\n'), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('Σ', 'σ', 'ς', 'İ', 'i', '\u0307', 'K', 'k', 'K'), maxLength: 8 }),
);
interface Drawn {
  readonly status: string;
  readonly durationMs: number | null;
  readonly retries: number;
  readonly error: string | null;
  readonly tags: readonly string[];
}

const result: fc.Arbitrary<Drawn> = fc.record({
  status: fc.constantFrom(...STATUSES),
  durationMs: fc.option(fc.constantFrom(0, 0.25, 90, 100.5, 1_000, 1_000.5, 2_500, 1e15)),
  retries: fc.nat(3),
  error: fc.option(text),
  tags: fc.array(fc.constantFrom('slow', 'Slow', 'ΑΣ', 'a b'), { maxLength: 2 }),
});

/** Runs differ in what they have, as they do in life: of most outcomes there is none. */
const run = fc
  .tuple(fc.subarray(STATUSES, { minLength: 1 }), fc.boolean(), fc.array(result, { minLength: 1, maxLength: 12 }))
  .map(([statuses, hasErrors, results]) => [
    ...results.map((one, at) => ({
      ...one,
      status: statuses[at % statuses.length]!,
      error: hasErrors ? one.error : null,
    })),
    // So many that the outline has room for texts.
    ...Array.from({ length: 40 }, () => ({ ...results[0]!, status: statuses[0]!, error: null })),
  ]);

const quoted = text.map((one) => JSON.stringify(one));
const condition = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('t.error.', 't.error?.', 't.error?.toLowerCase().', 't.error.toUpperCase().'),
      fc.constantFrom('includes', 'startsWith', 'endsWith'),
      quoted,
    )
    .map(([a, method, b]) => `${a}${method}(${b})`),
  fc
    .tuple(fc.constantFrom('===', '!=='), fc.oneof(quoted, fc.constant('null')))
    .map((parts) => `t.error ${parts.join(' ')}`),
  fc.constantFrom('slow', 'Slow', 'ΑΣ', 'none').map((tag) => `t.tag.includes("${tag}")`),
  fc
    .tuple(fc.constantFrom('===', '!=='), fc.constantFrom(...STATUSES))
    .map(([op, status]) => `t.status ${op} "${status}"`),
  fc.subarray(STATUSES, { minLength: 1 }).map((some) => `t.status of ${JSON.stringify(some)}`),
  fc
    .tuple(
      fc.constantFrom('duration', 'retries'),
      fc.constantFrom('<', '<=', '>', '>=', '===', '!=='),
      fc.constantFrom('0', '1', '90', '1000', '1001', '5000', 'null', 'NaN'),
    )
    .map(([field, op, value]) => `t.${field} ${op} ${value}`),
  fc
    .tuple(fc.constantFrom('90', '5000'), fc.constantFrom('<', '>='), fc.constantFrom('duration', 'retries'))
    .map(([value, op, field]) => `${value} ${op} t.${field}`),
  fc.constantFrom('t.flaky', 't.flaky === false', 't.line > 3', 't.error.length > 4', 'true', 't.tag.length'),
);
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    condition.map((one) => `(${one})`),
    fc.tuple(tie('tree'), fc.constantFrom('&&', '||', '??'), tie('tree')).map((parts) => `(${parts.join(' ')})`),
    tie('tree').map((one) => `!${one}`),
    fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
  ),
}));
const search = text.map((one) => `error:${JSON.stringify(one)}`);
const filter = fc.oneof(
  { weight: 4, arbitrary: tree.map((body) => `t => ${body}`) },
  { weight: 1, arbitrary: fc.oneof(search, searchOver(RESULT_FIELDS), functionOver(RESULT_FIELDS)) },
);

const CATALOGUE = withStatuses(RESULT_FIELDS, STATUSES);

const read = (written: string) => {
  const filter = readFilterText(written, CATALOGUE, { now: Date.now() });
  if (!filter.ok) throw new Error(`${written}: ${filter.issues.map(({ message }) => message).join('; ')}`);
  return filter;
};

const encode = (results: readonly Drawn[]) => {
  const growing = startResults(results.length);
  for (const [row, one] of results.entries()) {
    addOutcome(growing, { ...one, startMs: null, notRun: [], lane: null, failedMs: null, failedError: null });
    putPlace(growing, row, { testId: row + 1, line: null, column: null });
  }
  return decodeResults(finishResults(growing));
};

const outlineOf = async (results: readonly Drawn[]) => {
  const bytes = await buildOutline(encode(results));
  return bytes && readOutline(bytes);
};

const rowOf = ({ status, error, durationMs, retries, tags }: Drawn): FilterRow => ({
  status,
  title: 'title',
  file: 'file',
  error,
  duration: durationMs,
  retries,
  flaky: isFlaky(status, retries),
  new: false,
  tag: tags,
  owner: [],
  browser: null,
  shard: null,
  line: null,
});

const holds = (predicate: (row: FilterRow) => boolean, row: FilterRow): boolean => {
  try {
    return predicate(row);
  } catch {
    return false;
  }
};

describe('the outline of a run', () => {
  it('never rules out a run with a result that matches', async () => {
    await fc.assert(
      fc.asyncProperty(run, filter, async (results, written) => {
        const { tree, predicate } = read(written);
        const mayMatch = planSkipping(tree);
        const outline = await outlineOf(results);
        if (!mayMatch || !outline || mayMatch(outline)) return;
        expect(results.filter((one) => holds(predicate, rowOf(one)))).toEqual([]);
      }),
      { numRuns: draws(150, 10_000) },
    );
  });

  it('never rules out a run for a text that one of its errors has, in either case', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, fc.boolean(), async (before, within, after, isLower) => {
        const error = before + within + after;
        const written = isLower
          ? `t => t.error.toLowerCase().includes(${JSON.stringify(within.toLowerCase())})`
          : `t => t.error.includes(${JSON.stringify(within)})`;
        const { tree, predicate } = read(written);
        const results = Array.from({ length: 200 }, () => ({
          status: 'failed',
          durationMs: 1,
          retries: 0,
          error,
          tags: [],
        }));
        if (!holds(predicate, rowOf(results[0]!))) return;
        const outline = await outlineOf(results);
        expect(planSkipping(tree)?.(outline!) ?? true).toBe(true);
      }),
      { numRuns: draws(150, 10_000) },
    );
  });

  const passed: Drawn = { status: 'passed', durationMs: 100, retries: 0, error: null, tags: ['fast'] };
  const failed: Drawn = { ...passed, status: 'failed', error: 'Error: expected 3 to be less than 4' };
  const plain = [failed, ...Array.from({ length: 60 }, () => passed)];

  it.each([
    'status:failed error:"ECONNREFUSED"',
    'error:"econnrefused" OR error:"enospc"',
    't => t.error?.startsWith("Expected 9")',
    'status:skipped,timedOut',
    'status:broken',
    '-status:failed,passed',
    'duration:>2s',
    'duration:<50ms status:passed',
    'retries:>0',
    'flaky:true',
    'tag:slow',
    't => t.flaky ? true : t.retries === 4',
  ])('rules out a run without %s', async (written) => {
    expect(planSkipping(read(written).tree)!((await outlineOf(plain))!)).toBe(false);
  });

  it.each(['status:failed error:"EXPECTED 3"', 'duration:100ms', 'tag:fast', '-flaky:true', '-status:skipped'])(
    'keeps a run with %s',
    async (written) => {
      expect(planSkipping(read(written).tree)?.((await outlineOf(plain))!)).toBe(true);
    },
  );

  it('is not asked where it cannot tell', () => {
    for (const written of ['', 'title:cart', 'cart', 'new:true', 't => t.line > 3 || t.status === "failed"']) {
      expect(planSkipping(read(written).tree)?.(null as never) ?? null, written).toBeNull();
    }
  });

  it('takes at most three bytes a result with its place in a pack', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(result, { maxLength: 80 }), async (results) => {
        const bytes = await buildOutline(encode(results));
        if (!bytes) return;
        const kept = packOutlines([{ runId: 2 ** 40, version: 9, bytes }]).length - packOutlines([]).length;
        expect(kept).toBeLessThanOrEqual(OUTLINE_BYTES_PER_RESULT * results.length);
      }),
    );
  });

  it('comes out of a pack as it went in, and out of a damaged one not at all', () => {
    const outline = fc.record({ runId: fc.nat(), version: fc.nat(), bytes: fc.uint8Array({ maxLength: 40 }) });
    const outlines = fc.uniqueArray(outline, { selector: ({ runId }) => runId, maxLength: 16 });
    fc.assert(
      fc.property(outlines, fc.nat(), fc.integer({ min: 1, max: 255 }), (some, at, damage) => {
        const pack = packOutlines(some);
        expect(
          [...unpackOutlines(pack).values()].map((one) => ({ ...one, bytes: Uint8Array.from(one.bytes) })),
        ).toEqual(some);
        pack[at % pack.length]! ^= damage;
        expect(unpackOutlines(pack).size).toBe(0);
      }),
    );
  });
});
