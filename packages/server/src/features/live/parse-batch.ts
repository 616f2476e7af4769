import { ResultBatch } from '@assay/contract';
import { Type } from 'typebox';
import { createCheck, issuesOf, parseJsonBody, refusal } from '../../validation.ts';
import { readGivenCases, refuseTooManyValues } from '../ingest/parse-submission.ts';
import type { ReadCases } from '../ingest/read-cases.ts';
import { fieldsOf } from '../ingest/run-identity.ts';

export interface ParsedBatch {
  readonly part: number;
  readonly batch: number;
  readonly cases: ReadCases;
}

const checkHead = createCheck(Type.Omit(ResultBatch, ['testCases']));

export const parseBatch = (body: Uint8Array): ParsedBatch => {
  refuseTooManyValues(body);
  const json = parseJsonBody(body);
  const head = checkHead(json);
  const given = fieldsOf(json)['testCases'];
  if (given === undefined && head.ok) throw refusal('invalid_body', [{ path: '/testCases', message: 'is required' }]);
  const cases = readGivenCases(given === undefined ? [] : given, issuesOf(head));
  if (!head.ok) throw refusal('invalid_body', head.issues);
  return { part: head.value.part, batch: head.value.batch, cases };
};
