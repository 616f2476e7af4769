import { describe } from 'vitest';
import { failsOpenCases } from '../fails-open.cases.ts';
import { VITEST } from '../vitest-run.ts';

describe('Vitest, whatever the service does,', () => {
  failsOpenCases(VITEST);
});
