import { createHash, createHmac } from 'node:crypto';
import type { S3Credentials } from './s3-location.ts';

/* Signature Version 4 in the query of an address, which anyone may then fetch for a while. */

const ALGORITHM = 'AWS4-HMAC-SHA256';

export interface SignedRead {
  /** Of the server, without a path. */
  readonly origin: string;
  readonly bucket: string;
  readonly key: string;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly expiresSeconds: number;
  /** Headers that the answer has instead of those that are stored, such as `response-content-type`. */
  readonly answer: Readonly<Record<string, string>>;
}

/** An address to GET an object from, addressed by path. */
export const signRead = (
  { origin, bucket, key, region, credentials, expiresSeconds, answer }: SignedRead,
  now = new Date(),
): string => {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const path = `/${[bucket, ...key.split('/')].map(escape).join('/')}`;
  const parameters = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${credentials.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expiresSeconds),
    ...(credentials.sessionToken === undefined ? {} : { 'X-Amz-Security-Token': credentials.sessionToken }),
    'X-Amz-SignedHeaders': 'host',
    ...answer,
  };
  const query = Object.entries(parameters)
    .map(([name, value]) => `${escape(name)}=${escape(value)}`)
    .sort()
    .join('&');
  const request = ['GET', path, query, `host:${new URL(origin).host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const signed = [ALGORITHM, time, scope, createHash('sha256').update(request).digest('hex')].join('\n');
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    hmac,
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  return `${origin}${path}?${query}&X-Amz-Signature=${hmac(signingKey, signed).toString('hex')}`;
};

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** As the signature has it: nothing but letters, digits and four marks stays. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
