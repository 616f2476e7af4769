import { expect } from 'vitest';
import type { Service } from './service.ts';

/** What every complete delivery of `deliveries.ts` looks like when it is read back. */
export const COMPLETE = {
  status: 'failed',
  totalTests: 2,
  testCases: [{ title: 'pays' }, { title: 'refunds' }],
  reports: [{ type: 'html' }],
};

export const expectOneCompleteRun = async (service: Service, projectName: string): Promise<void> => {
  const runs = await service.runsOf(projectName);
  expect(runs).toMatchObject([COMPLETE]);
  const { traces } = await service.client.getTestCase({ params: { id: runs[0]!.testCases[1]!.id } });
  expect(traces).toHaveLength(1);
  const page = await fetch(`${service.url}/api/files/${runs[0]!.reports[0]!.path}`);
  expect(await page.text()).toContain('<title>Report</title>');
};
