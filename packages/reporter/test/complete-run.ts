import { expect } from 'vitest';
import { NOTE, PICTURE } from './deliveries.ts';
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
  const { traces, attachments } = await service.client.getTestCase({ params: { id: runs[0]!.testCases[1]!.id } });
  expect(traces).toHaveLength(1);
  const contents = attachments.map(async ({ name, contentType, attempt, path }) => {
    const read = await fetch(`${service.url}/api/files/${path}`);
    return { name, contentType, attempt, content: Buffer.from(await read.arrayBuffer()) };
  });
  expect(await Promise.all(contents)).toEqual([
    { name: 'screenshot', contentType: 'image/png', attempt: 0, content: PICTURE },
    { name: 'käse "1".txt', contentType: 'text/plain', attempt: 0, content: NOTE },
  ]);
  const page = await fetch(`${service.url}/api/files/${runs[0]!.reports[0]!.path}`);
  expect(await page.text()).toContain('<title>Report</title>');
};
