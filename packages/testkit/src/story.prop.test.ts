import { Submission, runFigures } from '@assay/contract';
import * as fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { expect, it } from 'vitest';
import { createStory } from './story.ts';
import { domainNames } from './vocabulary.ts';

const schema = Compile(Submission);

it('every run of every story is valid and the same when told again', () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.oneof(fc.integer(), fc.string()),
        projectName: fc.string({ minLength: 1, maxLength: 20 }),
        tests: fc.integer({ min: 1, max: 80 }),
        details: fc.constantFrom('none', 'full'),
        domain: fc.constantFrom(...domainNames),
        browsers: fc.constantFrom([], ['chromium'], ['chromium', 'webkit']),
        temperament: fc.constantFrom('usual', 'spotless', 'flaky'),
        firstRunAt: fc.integer({ min: 0, max: 4e12 }),
        intervalMs: fc.integer({ min: 1, max: 1e8 }),
      }),
      fc.nat(5_000),
      (options, n) => {
        const run = createStory(options).run(n);
        expect(schema.Check(run)).toBe(true);
        expect(run.testCases!.length).toBeGreaterThanOrEqual(options.tests);
        expect(run).toMatchObject({ failedTests: runFigures(run.testCases!).failedTests });
        expect(JSON.stringify(createStory(options).run(n))).toBe(JSON.stringify(run));
        for (const { duration } of run.testCases!) expect(Number.isSafeInteger(duration)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});
