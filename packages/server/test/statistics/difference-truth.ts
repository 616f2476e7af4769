import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import type { CaseDetails, ExecutionDifference } from '@assay/contract';
import { FAULTS, type FirstLine, SHOP_VERSION } from '@assay/testkit/faults';
import { NO_DETAILS } from '../../src/features/cases/present-case.ts';
import { compareExecutions } from '../../src/features/first-difference/compare-executions.ts';
import { type Execution, createMask, readExecution } from '../../src/features/first-difference/execution.ts';
import { finish } from './flake-truth.ts';

/** Made by scripts/record-faults.ts: what Assay knows of real executions with traces. */
interface Recorded extends CaseDetails {
  /** Which fault there was, or `healthy` with a number. */
  readonly variant: string;
  readonly title: string;
  readonly status: string;
}

const COMPARED = 10;

const readRecorded = (): Recorded[] =>
  JSON.parse(
    gunzipSync(
      readFileSync(createRequire(import.meta.url).resolve('@assay/testkit/faults/executions.json.gz')),
    ).toString(),
  ) as Recorded[];

const mask = createMask();

const executionOf = ({ variant, status, ...details }: Recorded): Execution =>
  finish(
    readExecution(
      {
        status,
        details: { ...NO_DETAILS, ...details },
        hasTrace: true,
        versions: new Map([['shop', FAULTS[variant]?.version ?? SHOP_VERSION]]),
        environment: null,
      },
      mask,
    ),
  );

export interface FaultFound {
  readonly fault: string;
  readonly title: string;
  readonly isFirst: boolean;
  readonly differences: readonly ExecutionDifference[];
}

export interface MeasuredDifferences {
  /** Of every fault, the first test that fails. */
  readonly faults: readonly FaultFound[];
  /** All tests that fail. */
  readonly failures: readonly FaultFound[];
  /** Of a passed execution beside the ten passed before it. */
  readonly passed: {
    readonly compared: number;
    readonly lines: number;
    readonly found: readonly ExecutionDifference[];
  };
}

export const measureDifferences = (): MeasuredDifferences => {
  const byTitle = Map.groupBy(readRecorded(), ({ title }) => title);
  const failures: FaultFound[] = [];
  const found: ExecutionDifference[] = [];
  let compared = 0;
  for (const [title, recorded] of byTitle) {
    const healthy = recorded.filter(({ variant }) => variant.startsWith('healthy')).map(executionOf);
    for (let at = COMPARED; at < healthy.length; at++) {
      found.push(...finish(compareExecutions(healthy[at]!, healthy.slice(at - COMPARED, at).toReversed())));
      compared++;
    }
    for (const each of recorded) {
      const fault = FAULTS[each.variant];
      if (!fault || each.status === 'passed') continue;
      const differences = finish(compareExecutions(executionOf(each), healthy.slice(-COMPARED).toReversed()));
      failures.push({ fault: each.variant, title, isFirst: isLine(fault.first, differences[0]), differences });
    }
  }
  const faults = Object.keys(FAULTS).flatMap((fault) => failures.find((each) => each.fault === fault) ?? []);
  return { faults, failures, passed: { compared, lines: found.length, found } };
};

const isLine = ({ kind, change, what }: FirstLine, line: ExecutionDifference | undefined): boolean =>
  line !== undefined && line.kind === kind && (change?.includes(line.change) ?? true) && what.test(line.what);
