import { expect, it } from 'vitest';
import type { Delivery } from '../delivery/delivery.ts';
import { buildStepSummary } from './step-summary.ts';

const deliveryOf = (failures: number): Delivery => ({
  submission: {
    projectName: 'shop',
    status: 'failed',
    startTime: '2026-01-01T00:00:00Z',
    shard: { index: 2, total: 3 },
    totalTests: 30,
    passedTests: 5,
    failedTests: failures,
    skippedTests: 0,
    testCases: Array.from({ length: failures }, (_, n) => ({
      title: `test ${n}`,
      status: 'failed',
      error: `\u001b[31mno <b>good</b> | [really](x)\u001b[39m\nsecond line`,
    })),
  },
  idempotencyKey: 'k',
  reports: [],
  traces: [],
  attachments: [],
});

it('has the figures, some failures by their first line, and the link; nothing of a test is Markdown or HTML', () => {
  const summary = buildStepSummary(deliveryOf(25), {
    kind: 'sent',
    runId: 7,
    projectId: 1,
    url: 'http://a/test-runs/7',
  });
  expect(summary).toContain('### shop, shard 2 of 3: failed');
  expect(summary).toContain('| 30 | 5 | 25 | 0 | 0 |');
  expect(summary).toContain('- test 0: no &lt;b\\>good&lt;/b\\> \\| \\[really\\](x)\n');
  expect(summary).not.toContain('second line');
  expect(summary.match(/^- /gm)).toHaveLength(21);
  expect(summary).toContain('- and 5 more');
  expect(summary).toContain('[Open the run in Assay](http://a/test-runs/7)');
});

it('says why when there is no link', () => {
  expect(
    buildStepSummary(deliveryOf(0), { kind: 'kept', mayPass: true, why: 'nobody answers', folder: '/spool' }),
  ).toContain('Not sent to Assay: nobody answers (kept for later)');
});
