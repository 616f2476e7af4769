import { Submission } from '@assay/contract';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { aCase, aSubmission } from './build.ts';

const schema = Compile(Submission);

describe('aSubmission', () => {
  it('is valid and the same every time', () => {
    expect(schema.Check(aSubmission())).toBe(true);
    expect(aSubmission()).toEqual(aSubmission());
  });

  it('has a case that passed, one that failed with an error and one that was skipped', () => {
    const { testCases, ...run } = aSubmission();
    expect(testCases?.map(({ status }) => status)).toEqual(['passed', 'failed', 'skipped']);
    expect(testCases?.[1]?.error).toContain('Expected');
    expect(run).toMatchObject({ status: 'failed', totalTests: 3, passedTests: 1, failedTests: 1, skippedTests: 1 });
  });

  it('counts the cases it is given', () => {
    const run = aSubmission({ testCases: [aCase(), aCase({ title: 'another' })] });
    expect(run).toMatchObject({ status: 'passed', totalTests: 2, passedTests: 2, failedTests: 0 });
    expect(aSubmission({ testCases: [], totalTests: 9 }).totalTests).toBe(9);
  });

  it('does not share its cases', () => {
    aSubmission().testCases!.pop();
    expect(aSubmission().testCases).toHaveLength(3);
  });
});

describe('aCase', () => {
  it('takes overrides', () => {
    expect(aCase({ status: 'failed', retries: 2 })).toMatchObject({ status: 'failed', retries: 2, duration: 1_200 });
  });
});
