import { expect, it } from 'vitest';
import { sampleAttachment } from '../attachments/sample-attachments.ts';
import { readAttempts } from './attempts.ts';
import { evidenceOf } from './evidence.ts';

const FAILED = { status: 'failed', error: 'no' };
const told = (error: string | null, attempts: readonly unknown[], ofAttempts: readonly number[]) =>
  evidenceOf(
    error,
    readAttempts(attempts),
    ofAttempts.map((attempt, at) => sampleAttachment(at + 1, { attempt })),
  ).map(({ number, attempt, attachments, isOfError }) => [
    `attempt ${number}${attempt ? '' : ', not listed'}${isOfError ? ', of the error' : ''}`,
    attachments.map(({ id }) => id),
  ]);

it('gives each attempt its attachments, and the error those of its own', () => {
  expect(told('no', [FAILED, { ...FAILED, retry: 1 }], [0, 1])).toEqual([
    ['attempt 1', [1]],
    ['attempt 2, of the error', [2]],
  ]);
  expect(told('no', [FAILED, { status: 'skipped' }], [0, 1])).toEqual([
    ['attempt 1, of the error', [1]],
    ['attempt 2', [2]],
  ]);
  expect(told('other words', [FAILED, { status: 'passed' }], [0])).toEqual([
    ['attempt 1, of the error', [1]],
    ['attempt 2', []],
  ]);
});

it('knows of no attempt of an error where there is none', () => {
  expect(told(null, [FAILED, { status: 'passed' }], [0])).toEqual([
    ['attempt 1', [1]],
    ['attempt 2', []],
  ]);
});

it('adds the attempts that the result does not list', () => {
  expect(told('no', [FAILED], [4, 0, 2])).toEqual([
    ['attempt 1, of the error', [2]],
    ['attempt 3, not listed', [3]],
    ['attempt 5, not listed', [1]],
  ]);
  expect(told('no', [], [0, 1])).toEqual([
    ['attempt 1, not listed', [1]],
    ['attempt 2, not listed, of the error', [2]],
  ]);
  expect(told('no', [], [])).toEqual([]);
});
