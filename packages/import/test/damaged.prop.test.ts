import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Submission, parseTime } from '@assay/contract';
import { draws } from '@assay/testkit';
import { anyCharacter } from '@assay/testkit/any-character';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { importFiles } from '../src/import-files.ts';
import { submissionOf } from '../src/submission.ts';
import { ROOT, SAMPLES, listSamples, withFile } from './read-sample.ts';

const schema = Compile(Submission);
const samples = listSamples();

/** What the interface would refuse of what is sent; a file that is no report any more has nothing to refuse. */
const refusedOf = (bytes: Uint8Array): Promise<unknown[]> =>
  withFile(bytes, async (path) => {
    const read = await importFiles([path], { root: ROOT });
    if (!read.ok) {
      expect(read.problems).toEqual([expect.stringContaining(path)]);
      return [];
    }
    return read.runs.flatMap((run) => {
      // As it goes over the wire.
      const sent = JSON.parse(JSON.stringify(submissionOf(run, read, { projectName: 'shop' }))) as Submission;
      const isTime = parseTime(sent.startTime) !== null;
      return [...schema.Errors(sent), ...(isTime ? [] : [`${sent.startTime} is no time`])];
    });
  });

const anySample = fc.constantFrom(...samples).map((name) => readFileSync(join(SAMPLES, name)));
const pieces = [
  '<',
  '>',
  '&',
  '"',
  '{',
  '}',
  '[',
  ']',
  '\n',
  '\0',
  '\u001B[31m',
  ']]>',
  '<![CDATA[',
  '...',
  '    ',
  'null',
  '-1',
  '1e999',
];

describe('a damaged report', () => {
  it.each(samples)('is read whole as the interface takes it: %s', async (name) => {
    expect(await refusedOf(readFileSync(join(SAMPLES, name)))).toEqual([]);
  });

  it('that is cut anywhere is read as far as it goes, or said to be broken', async () => {
    await fc.assert(
      fc.asyncProperty(anySample, fc.double({ min: 0, max: 1, noNaN: true }), async (bytes, part) => {
        expect(await refusedOf(bytes.subarray(0, Math.floor(bytes.length * part)))).toEqual([]);
      }),
      { numRuns: draws(30) },
    );
  });

  it('that is cut off is never shown as passed', async () => {
    // Nothing says how many packages `go test` was to run, so a file may end behind any of them.
    const others = samples.filter((name) => !name.startsWith('go-'));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...others), fc.double({ min: 0, max: 1, noNaN: true }), async (name, part) => {
        const bytes = readFileSync(join(SAMPLES, name));
        const end = bytes.toString('latin1').trimEnd().length - 1;
        await withFile(bytes.subarray(0, Math.floor(end * part)), async (path) => {
          const read = await importFiles([path], { root: ROOT });
          if (read.ok) expect(read.runs.map(({ status }) => status)).not.toContain('passed');
        });
      }),
      { numRuns: draws(45) },
    );
  });

  it('with bytes put in, taken out or repeated is read, or said to be broken', async () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      taken: fc.nat({ max: 200 }),
      put: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: anyCharacter, maxLength: 20 })),
      times: fc.integer({ min: 1, max: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(anySample, fc.array(change, { minLength: 1, maxLength: 5 }), async (sample, changes) => {
        let bytes = sample;
        for (const { at, taken, put, times } of changes) {
          const from = Math.floor(bytes.length * at);
          bytes = Buffer.concat([
            bytes.subarray(0, from),
            Buffer.from(put.repeat(times)),
            bytes.subarray(from + taken),
          ]);
        }
        expect(await refusedOf(bytes)).toEqual([]);
      }),
      { numRuns: draws(45) },
    );
  });

  it('with values of any type in its fields is read', async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(-1, 0.5, 2 ** 53, 1e15, 1e300, '+100000-01-01', 'a'.repeat(5_000)),
    );
    const reports = samples.filter((name) => name.endsWith('.json') && !name.startsWith('go-'));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...reports), value, fc.nat(), async (name, value, seed) => {
        const report = JSON.parse(readFileSync(join(SAMPLES, name), 'utf8')) as object;
        replaceOne(report, value, seed);
        expect(await refusedOf(Buffer.from(JSON.stringify(report)))).toEqual([]);
      }),
      { numRuns: draws(90) },
    );
  });

  it('nested twenty thousand times is read, or said to be broken', async () => {
    const deep = 20_000;
    const json = `{"config": {}, "errors": [], "suites": [${'{"title": "a", "suites": ['.repeat(deep)}${']}'.repeat(deep)}]}`;
    const texts = [
      json,
      '<testsuite name="a">'.repeat(deep),
      `TAP version 14\n${Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}ok 1 - a`).join('\n')}`,
      `<testsuite><testcase name="a">${'<failure>'.repeat(deep)}`,
    ];
    for (const text of texts) expect(await refusedOf(Buffer.from(text))).toEqual([]);
  });
});

/** Puts a value in the place of one that a walk of `seed` steps meets. */
const replaceOne = (root: object, value: unknown, seed: number): void => {
  let at = root as Record<string, unknown>;
  let rest = seed;
  for (;;) {
    const keys = Object.keys(at);
    if (keys.length === 0) return;
    const key = keys[rest % keys.length]!;
    const next = at[key];
    rest = Math.floor(rest / keys.length) + keys.length;
    if (typeof next !== 'object' || next === null || rest % 5 === 0) {
      at[key] = value;
      return;
    }
    at = next as Record<string, unknown>;
  }
};
