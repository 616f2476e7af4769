import { MAX_PASSED_OUTPUT, type GrowingOutput, type OutputPiece, growOutput } from '@assay/import/output';
import type { TestResult } from '@playwright/test/reporter';

type Chunk = string | Buffer;

/** What attempts print, which Playwright keeps for each stream and tells in order. */
export interface PrintedOutput {
  add(result: TestResult, stream: 'stdout' | 'stderr', chunk: Chunk): void;
  of(result: TestResult): OutputPiece[];
}

export const createPrintedOutput = (): PrintedOutput => {
  const printed = new WeakMap<TestResult, GrowingOutput>();
  return {
    add(result, stream, chunk) {
      let output = printed.get(result);
      if (output === undefined) {
        output = growOutput();
        printed.set(result, output);
      }
      output.add(stream, textOf(chunk));
    },
    of(result) {
      const output = printed.get(result) ?? withoutOrder(result);
      return output.pieces(result.status === 'passed' ? MAX_PASSED_OUTPUT : undefined);
    },
  };
};

const withoutOrder = ({ stdout, stderr }: TestResult): GrowingOutput => {
  const output = growOutput();
  for (const chunk of stdout) output.add('stdout', textOf(chunk));
  for (const chunk of stderr) output.add('stderr', textOf(chunk));
  return output;
};

const textOf = (chunk: Chunk): string => (typeof chunk === 'string' ? chunk : chunk.toString('utf8'));
