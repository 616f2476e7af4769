import { randomUUID } from 'node:crypto';
import { startFauxqs } from 'fauxqs';
import { createBudget } from '../../src/blobs/budget.ts';
import { openS3Bucket } from '../../src/blobs/s3-bucket.ts';
import { connectToS3 } from '../../src/blobs/s3-client.ts';
import { type S3Location, readS3Url } from '../../src/blobs/s3-location.ts';

export interface TestS3 {
  /** Of a part of the bucket that nobody else uses. */
  newLocation(): S3Location;
  stop(): Promise<void>;
}

const BUCKET = 'assay-tests';

/** An S3 server of this process; with TEST_S3_URL, and AWS_* for its credentials, that server. */
export const startTestS3 = async (): Promise<TestS3> => {
  const given = process.env['TEST_S3_URL'];
  if (given) return { newLocation: () => newLocation(locationOf(given)), stop: async () => undefined };
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  server.createBucket(BUCKET);
  const location: S3Location = {
    bucket: BUCKET,
    prefix: '',
    endpoint: `http://127.0.0.1:${server.port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'tests', secretAccessKey: 'of tests' },
    redirectTo: null,
  };
  return { newLocation: () => newLocation(location), stop: () => server.stop() };
};

/** With characters that must be escaped. */
const newLocation = (location: S3Location): S3Location => ({
  ...location,
  prefix: `${location.prefix}tests of ümlauts+/${randomUUID()}/`,
});

const locationOf = (url: string): S3Location => {
  const location = readS3Url(url);
  if (location === null) throw new Error('TEST_S3_URL must be s3://bucket/prefix?endpoint=…&region=…');
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
  return { region: 'us-east-1', ...location, credentials, redirectTo: null };
};

/** All keys below a location, without its prefix. */
export const keysIn = async (location: S3Location): Promise<string[]> => {
  const keys: string[] = [];
  const bucket = openS3Bucket(connectToS3(location), createBudget(0));
  for await (const objects of bucket.list('')) keys.push(...objects.map(({ key }) => key));
  return keys.sort();
};
