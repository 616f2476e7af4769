import { MAX_METADATA_BYTES } from '@assay/contract/limits';
import { describe, expect, it } from 'vitest';
import { buildSubmission } from './build-submission.ts';
import { MAX_BEGINNING_BYTES, MAX_GIVEN_BYTES, addMetadata, jsonBytes } from './metadata.ts';

const ofBytes = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

describe('metadata of a run', () => {
  it('that the service takes is sent as it is', () => {
    const own = { scm: { message: 'm'.repeat(50_000) }, errors: Array<string>(200).fill('e') };
    expect(addMetadata({ team: 'carts' }, own)).toEqual({ team: 'carts', ...own });
  });

  it.each([0, 100, 1_000, 100_000, 1_000_000])('never has more bytes than that, with texts of %i letters', (length) => {
    const text = '\u0001'.repeat(length);
    const own = { scm: { message: text, author: text }, ci: { job: text }, playwright: { projects: [text, text] } };
    const given = ofBytes(MAX_GIVEN_BYTES);
    const metadata = addMetadata(given, own, MAX_BEGINNING_BYTES);
    expect(metadata).toMatchObject({
      ...given,
      scm: {},
      ci: {},
      playwright: { projects: [expect.any(String), expect.any(String)] },
    });
    expect(jsonBytes(metadata)).toBeLessThanOrEqual(MAX_BEGINNING_BYTES);
    const beginning = { projectName: 'shop', startTime: '2026-01-02T03:04:05.000Z', metadata };
    const ending = {
      status: 'failed',
      durationMs: 1,
      testCases: [],
      errors: Array<string>(1_000).fill(`failed ${text}`),
    };
    const whole = buildSubmission(beginning, ending).metadata as { errors: string[] };
    expect(whole).toMatchObject(metadata);
    expect(whole.errors[0]).toMatch(/^failed /);
    expect(jsonBytes(whole)).toBeLessThanOrEqual(MAX_METADATA_BYTES);
  });
});
