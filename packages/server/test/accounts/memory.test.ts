import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newFolder, startServiceProcess } from '../robustness/service-process.ts';
import { PASSWORD, SECRET, logIn, post } from './people.ts';

const MIB = 1024 * 1024;
const SIGN_INS = 7;

/** The most memory that a process ever had. */
const peakBytes = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

it.skipIf(process.platform !== 'linux')('many sign-ins at once take no more memory than two', async () => {
  using folder = newFolder();
  await using service = await startServiceProcess(folder.path, {
    HOST: '127.0.0.1',
    SERVICE_AUTH_ENABLED: 'true',
    SERVICE_AUTH_SECRET: SECRET,
    SERVICE_TRUST_PROXY: 'true',
    // Otherwise Node itself would hash no more than four at once.
    UV_THREADPOOL_SIZE: '16',
  });
  await post(service, '/api/auth/setup', { username: 'ann', password: PASSWORD, name: 'Ann' });
  const before = peakBytes(service.pid);
  const signIns = Array.from({ length: SIGN_INS }, (_, index) =>
    logIn(service, index % 2 === 0 ? 'ann' : 'nobody', PASSWORD, { 'x-forwarded-for': `203.0.113.${index}` }),
  );
  const statuses = (await Promise.all(signIns)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: SIGN_INS }, (_, index) => (index % 2 === 0 ? 200 : 401)));
  expect(peakBytes(service.pid) - before).toBeLessThan(90 * MIB);
});
