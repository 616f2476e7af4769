import { DEFAULT_ATTACHMENT_RULES } from '@assay/import/attachments';
import { expect, it } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';
import { createCollector } from './collect.ts';

const moduleOf = (...names: string[]): { module: TestModule; tests: (TestCase & { written: object[] })[] } => {
  const tests: unknown[] = [];
  const module = {
    type: 'module',
    id: 'module',
    moduleId: '/shop/a.spec.ts',
    project: { name: '' },
    children: { allTests: () => tests, allSuites: () => [] },
    errors: () => [],
  };
  for (const name of names) {
    const written: object[] = [];
    tests.push({
      type: 'test',
      id: name,
      name,
      fullName: name,
      module,
      parent: module,
      project: module.project,
      location: undefined,
      tags: [],
      options: {},
      written,
      logs: () => written,
      annotations: () => [],
      attempts: () => [],
      ok: () => true,
      result: () => ({ state: 'passed', errors: [] }),
      diagnostic: () => ({ duration: 1, retryCount: 0 }),
    });
  }
  return { module, tests } as unknown as ReturnType<typeof moduleOf>;
};

it('a test is told a while after it ended, or with its module, and once', () => {
  const { module, tests } = moduleOf('first', 'second');
  const collector = createCollector('/shop', DEFAULT_ATTACHMENT_RULES);
  collector.testEnded(tests[0]!, 0);
  collector.testEnded(tests[1]!, 900);
  expect(collector.settled(500)).toEqual([]);
  expect(collector.settled(1_500)).toMatchObject([{ title: 'first' }]);
  expect(collector.moduleEnded(module)).toMatchObject([{ title: 'second' }]);
  expect(collector.settled(9_000)).toEqual([]);
  expect(collector.finish([module])).toMatchObject({
    testCases: [{ title: 'first' }, { title: 'second' }],
    unsent: [],
    matchesStream: true,
  });
});

it('what a test wrote after it was told is in its case, which is no longer as it was told', () => {
  const { module, tests } = moduleOf('first', 'second');
  const collector = createCollector('/shop', DEFAULT_ATTACHMENT_RULES);
  collector.moduleEnded(module);
  tests[1]!.written.push({ type: 'stdout', content: 'late' });
  expect(collector.finish([module])).toMatchObject({
    testCases: [{ title: 'first' }, { title: 'second', attempts: [{ output: [{ stream: 'stdout', text: 'late' }] }] }],
    matchesStream: false,
  });
});

it('a test that cannot be read is told as far as it can be, beside the others', () => {
  const { module, tests } = moduleOf('good', 'broken');
  Object.assign(tests[1]!, { options: undefined });
  const { testCases, unsent } = createCollector('/shop', DEFAULT_ATTACHMENT_RULES).finish([module]);
  expect(unsent).toHaveLength(2);
  expect(testCases).toMatchObject([{ title: 'good' }, { title: 'broken', annotations: [{ type: 'unreadable' }] }]);
});
