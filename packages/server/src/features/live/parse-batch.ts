import { type Issue, ResultBatch } from '@assay/contract';
import { Type } from 'typebox';
import { fieldsOf } from '../../scm.ts';
import { createCheck, issuesOf } from '../../validation.ts';
import { type Parsing, readBody } from '../ingest/read-body.ts';
import type { ReadCases } from '../ingest/read-cases.ts';

export interface ParsedBatch {
  readonly part: number;
  readonly batch: number;
  readonly cases: ReadCases;
}

const checkHead = createCheck(Type.Omit(ResultBatch, ['testCases']));

export function* parseBatch(body: Uint8Array): Parsing<ParsedBatch> {
  // Attempts may be in several batches, and files name cases by their numbers: `joinAttempts` joins them at the end.
  const { head, cases } = yield* readBody(body, batchIssues, undefined, false);
  const { part, batch } = head as ResultBatch;
  return { part, batch, cases };
}

const batchIssues = (head: unknown): readonly Issue[] => {
  const issues = issuesOf(checkHead(head));
  const { testCases } = fieldsOf(head) as { readonly testCases?: unknown };
  if (issues.length > 0 || (testCases !== undefined && testCases !== null)) return issues;
  return [{ path: '/testCases', message: testCases === null ? 'must be array' : 'is required' }];
};
