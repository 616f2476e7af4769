import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, megabytes, percentile } from './figures.ts';
import { settledRss } from './measuring.ts';
import { startBenchService } from './service.ts';

const STARTS = 7;
const IDLE_MS = 3_000;
const MB = 1024 ** 2;
const FIRST_ANSWER_LIMIT_MS = 400;
const IDLE_LIMIT_MB = 110;

/** From the start of the process to the first answer, and what it keeps when nothing happens. */
export const startupRows = async (built: string, workDir: string): Promise<Row[]> => {
  const dataDir = mkdtempSync(join(workDir, 'startup-'));
  const start = () => startBenchService({ entry: built, workDir, dataDir });
  const firstAnswers: number[] = [];
  let idle = 0;
  for (let n = 0; n < STARTS; n++) {
    const service = await start();
    firstAnswers.push(service.firstAnswerAfterMs);
    if (n === STARTS - 1) idle = await settledRss(service, IDLE_MS);
    await service.stop();
  }
  rmSync(dataDir, { recursive: true });
  const middle = percentile(firstAnswers, 50);
  return [
    {
      what: `Start to first answer, median of ${STARTS}`,
      measured: `${middle.toFixed(0)} ms (${Math.min(...firstAnswers).toFixed(0)} to ${Math.max(...firstAnswers).toFixed(0)})`,
      limit: `${FIRST_ANSWER_LIMIT_MS} ms`,
      ok: middle <= FIRST_ANSWER_LIMIT_MS,
    },
    {
      what: 'RSS idle, built',
      measured: megabytes(idle),
      limit: `${IDLE_LIMIT_MB} MB`,
      ok: idle <= IDLE_LIMIT_MB * MB,
    },
  ];
};
