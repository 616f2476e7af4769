import { describe, expect, it } from 'vitest';
import type { GivenOptions } from './options.ts';
import { readOptions } from './read-options.ts';

const SERVER = { serverUrl: 'https://assay.example.org/', projectName: 'shop' };

const optionsOf = (given: GivenOptions, env = {}) => {
  const read = readOptions(given, env);
  if (!read.ok) throw new Error(read.problems.join('; '));
  return read.options;
};
const problemsOf = (given: object, env = {}) => {
  const read = readOptions(given, env);
  return read.ok ? [] : read.problems;
};

describe('options', () => {
  it('come from the environment alone', () => {
    const options = optionsOf(
      {},
      {
        ASSAY_URL: 'http://localhost:3000/assay/',
        ASSAY_PROJECT: 'shop',
        ASSAY_API_KEY: 'pd_1',
        ASSAY_UPLOAD_REPORTS: 'false',
        ASSAY_UPLOAD_TRACES: '0',
        ASSAY_ATTACHMENTS: 'all',
        ASSAY_MAX_ATTACHMENTS_PER_TEST: '7',
        ASSAY_MAX_ATTACHMENT_MB: '8',
        ASSAY_MAX_ATTACHMENTS_MB_PER_RUN: '9',
        ASSAY_LABELS: 'html=The shop, blob = Raw',
        ASSAY_RUN_KEY: 'nightly-7',
        ASSAY_ENVIRONMENT: 'staging',
        ASSAY_METADATA: '{"team":"carts"}',
        ASSAY_TIMEOUT_MS: '5000',
        ASSAY_LIVE: 'off',
        ASSAY_COMMITS: 'off',
        ASSAY_ROOT: '/home/ci/shop',
        ASSAY_SPOOL_DIR: '/spool',
        ASSAY_SPOOL_MAX_MB: '10',
      },
    );
    expect(options).toEqual({
      serverUrl: 'http://localhost:3000/assay',
      projectName: 'shop',
      credentials: { kind: 'key', apiKey: 'pd_1' },
      uploadReports: false,
      uploadTraces: false,
      attachments: { wanted: 'all', perTest: 7, fileBytes: 8 * 1024 * 1024, runBytes: 9 * 1024 * 1024 },
      labels: { html: 'The shop', blob: 'Raw' },
      runKey: 'nightly-7',
      environment: 'staging',
      metadata: { team: 'carts' },
      timeoutMs: 5000,
      live: false,
      commits: false,
      rootDir: '/home/ci/shop',
      spoolDir: '/spool',
      spoolMaxBytes: 10 * 1024 * 1024,
    });
  });

  it('that are given win over the environment, and what is left out has its default', () => {
    const options = optionsOf(
      { ...SERVER, username: 'ci', password: 'a long passphrase', live: false },
      { ASSAY_URL: 'http://other', ASSAY_LIVE: 'true', XDG_CACHE_HOME: '/cache' },
    );
    expect(options).toMatchObject({
      serverUrl: 'https://assay.example.org',
      credentials: { kind: 'login', username: 'ci', password: 'a long passphrase' },
      live: false,
      uploadReports: true,
      attachments: { wanted: 'failed', perTest: 50 },
      timeoutMs: 120_000,
      spoolDir: '/cache/assay/spool',
    });
  });

  it('count as left out when they are empty, as a missing secret is in CI', () => {
    expect(optionsOf(SERVER, { ASSAY_API_KEY: '', ASSAY_METADATA: ' ', ASSAY_TIMEOUT_MS: '' })).toMatchObject({
      credentials: { kind: 'none' },
      metadata: {},
    });
  });

  it.each<[object, Record<string, string>, RegExp]>([
    [{ projectName: 'shop' }, {}, /^no server: set serverUrl or ASSAY_URL/],
    [{ serverUrl: 'https://a.example' }, {}, /^no project: set projectName or ASSAY_PROJECT/],
    [{ ...SERVER, serverUrl: 'assay.example.org' }, {}, /^serverUrl must be a URL .* "assay.example.org"/],
    [{ ...SERVER, serverUrl: 'ftp://a.example' }, {}, /^serverUrl must be a URL/],
    [{ ...SERVER, projectName: 7 }, {}, /^projectName must be a string, not number/],
    [{ ...SERVER, projectName: 'x'.repeat(201) }, {}, /^projectName must be at most 200 characters/],
    [{ ...SERVER, apiKey: 'a key\n2' }, {}, /^apiKey must be pd_ followed by 64/],
    [{ ...SERVER, username: 'ci' }, {}, /^username is set but password is not/],
    [{ ...SERVER, password: 'secret' }, {}, /^password is set but username is not/],
    [{ ...SERVER, uploadTraces: 'on-failure' }, {}, /^uploadTraces must be true or false, but is "on-failure"/],
    [{ ...SERVER, attachments: true }, {}, /^attachments must be a string, not boolean/],
    [SERVER, { ASSAY_ATTACHMENTS: 'some' }, /^attachments must be all, failed or off, but is "some"/],
    [
      { ...SERVER, maxAttachmentsPerTest: 501 },
      {},
      /^maxAttachmentsPerTest must be a number from 1 to 500, but is 501/,
    ],
    [SERVER, { ASSAY_LIVE: 'maybe' }, /^ASSAY_LIVE must be true or false, but is "maybe"/],
    [{ ...SERVER, timeoutMs: 0 }, {}, /^timeoutMs must be a number from 1 to 3600000, but is 0/],
    [SERVER, { ASSAY_TIMEOUT_MS: '10s' }, /^timeoutMs must be a number .* "10s"/],
    [{ ...SERVER, labels: { html: 1 } }, {}, /^labels must map report types/],
    [SERVER, { ASSAY_LABELS: 'html' }, /^ASSAY_LABELS must be such as/],
    [{ ...SERVER, metadata: 'x' }, {}, /^metadata must be an object/],
    [SERVER, { ASSAY_METADATA: '{' }, /^ASSAY_METADATA must be a JSON object/],
  ])('%j %j: a mistake is said in one sentence', (given, env, said) => {
    expect(problemsOf(given, env)).toEqual([expect.stringMatching(said)]);
    expect(problemsOf(given, env)[0]).not.toContain('\n');
  });

  it.each([
    { ...SERVER, serverUrl: 'https://ci:s3cret@assay.example.org' },
    { ...SERVER, serverUrl: 'https://:s3cret@assay.example.org' },
    { ...SERVER, serverUrl: 'https://assay.example.org/?key=s3cret' },
    { ...SERVER, serverUrl: 'https://ci:pa/s3cret@assay.example.org' },
    { ...SERVER, serverUrl: 'ftp://ci:s3cret@assay.example.org/' },
    { ...SERVER, serverUrl: 'ci:s3cret@assay.example.org' },
    { ...SERVER, serverUrl: 'assay.example.org?key=s3cret' },
    { ...SERVER, apiKey: 'pd_s3cret\n2' },
    { ...SERVER, password: 's3cret' },
    { ...SERVER, apiKey: ['s3cret'] },
  ])('%j: a mistake never tells a password or key', (given) => {
    const said = problemsOf(given);
    expect(said).not.toEqual([]);
    expect(said.join()).not.toContain('s3cret');
  });
});
