import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };

it('reads where files are, and takes credentials from where AWS has them', () => {
  expect(readConfig({}).s3).toBeNull();
  expect(readConfig({ ...KEYS, SERVICE_FILES_URL: 's3://my-bucket' }).s3).toEqual({
    bucket: 'my-bucket',
    prefix: '',
    endpoint: null,
    region: 'us-east-1',
    credentials,
    redirectTo: null,
  });
  const url = 's3://my.bucket//teams/a%20b/?endpoint=http://minio:9000&region=eu-west-1';
  expect(readConfig({ ...KEYS, AWS_REGION: 'eu-north-1', AWS_SESSION_TOKEN: 't', SERVICE_FILES_URL: url }).s3).toEqual({
    bucket: 'my.bucket',
    prefix: 'teams/a b/',
    endpoint: 'http://minio:9000',
    region: 'eu-west-1',
    credentials: { ...credentials, sessionToken: 't' },
    redirectTo: null,
  });
  expect(readConfig({ AWS_REGION: 'eu-north-1', SERVICE_FILES_URL: 's3://bucket/x' }).s3).toMatchObject({
    region: 'eu-north-1',
    credentials: null,
  });
});

it('reads credentials from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-keys-'));
  try {
    const file = join(folder, 'key');
    writeFileSync(file, 'secret\n');
    const environment = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY_FILE: file, SERVICE_FILES_URL: 's3://bucket' };
    expect(readConfig(environment).s3?.credentials).toEqual(credentials);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each([
  'bucket/prefix',
  'https://bucket/prefix',
  's3://',
  's3://b ucket',
  's3://id:secret@bucket/prefix',
  's3://bucket:9000/prefix',
  's3://bucket/prefix#x',
  's3://bucket/%zz',
  's3://bucket?endpoint=minio:9000',
  's3://bucket?regoin=eu-west-1',
])('refuses %s without repeating what may be secret', (url) => {
  const read = (): unknown => readConfig({ SERVICE_FILES_URL: url });
  expect(read).toThrow(/^SERVICE_FILES_URL must be s3:\/\/bucket\/prefix/);
  expect(read).not.toThrow('secret@');
});

it('refuses one half of a pair of credentials', () => {
  const halves = [{ AWS_ACCESS_KEY_ID: 'id' }, { AWS_SECRET_ACCESS_KEY: 'secret' }];
  for (const half of halves) {
    expect(() => readConfig({ ...half, SERVICE_FILES_URL: 's3://bucket' })).toThrow(
      `${Object.keys(half)[0]} is set without its other half`,
    );
    expect(readConfig(half).s3).toBeNull();
  }
});

it('reads where clients may read files from themselves', () => {
  const redirectTo = (parameters: string) =>
    readConfig({ ...KEYS, SERVICE_FILES_URL: `s3://bucket?${parameters}` }).s3?.redirectTo;
  expect(redirectTo('region=eu-west-1&redirect=true')).toBe('https://s3.eu-west-1.amazonaws.com');
  expect(redirectTo('endpoint=http://minio:9000/&redirect=true')).toBe('http://minio:9000');
  expect(redirectTo('endpoint=http://minio:9000&redirect=https://files.example.org')).toBe('https://files.example.org');
  expect(() => redirectTo('redirect=yes')).toThrow(/SERVICE_FILES_URL must be/);
  expect(() => redirectTo('redirect=https://files.example.org/path')).toThrow(/SERVICE_FILES_URL must be/);
  expect(() => redirectTo('endpoint=http://minio:9000/s3&redirect=true')).toThrow(/its endpoint has a path/);
});
