import { runFigures } from '@assay/contract';
import type { Submission, SubmittedCase } from '@assay/contract';

/** A valid case that passed. */
export const aCase = (overrides: Partial<SubmittedCase> = {}): SubmittedCase => ({
  title: 'Cart › adds a product',
  status: 'passed',
  duration: 1_200,
  location: 'tests/cart.spec.ts:12:3',
  retries: 0,
  ...overrides,
});

/** A valid run of three cases: passed, failed and skipped. Status and counts follow `testCases` unless given. */
export const aSubmission = (overrides: Partial<Submission> = {}): Submission => {
  const testCases = 'testCases' in overrides ? overrides.testCases : threeCases();
  const { totalTests, passedTests, failedTests, skippedTests } = runFigures(testCases ?? []);
  return {
    projectName: 'webshop',
    status: failedTests > 0 ? 'failed' : 'passed',
    startTime: '2025-03-03T09:00:00.000Z',
    duration: 8_000,
    totalTests,
    passedTests,
    failedTests,
    skippedTests,
    testCases,
    ...overrides,
  };
};

const threeCases = (): SubmittedCase[] => [
  aCase(),
  aCase({
    title: 'Cart › applies a discount code',
    status: 'failed',
    duration: 5_400,
    location: 'tests/cart.spec.ts:27:3',
    error: 'Error: expect(received).toBe(expected)\n\nExpected: "€ 90.00"\nReceived: "€ 100.00"',
  }),
  aCase({
    title: 'Cart › shares a wish list',
    status: 'skipped',
    duration: 0,
    location: 'tests/cart.spec.ts:41:3',
  }),
];
