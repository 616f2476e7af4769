import { createHash, createHmac } from 'node:crypto';
import type { S3Credentials } from '../../src/blobs/s3-location.ts';
import type { S3Request } from './s3-proxy.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[A-Za-z0-9_.~-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

/**
 * What a server that checks signatures would answer, by the rules of Signature Version 4: the code of its refusal, or null.
 * The client of Amazon signs the requests that it is tested with, so that it is not one of ours that both write and check.
 */
export const checkSignature = (
  { method, url, headers }: S3Request,
  body: Buffer,
  { accessKeyId, secretAccessKey }: S3Credentials,
): string | null => {
  const [rawPath = '', rawQuery = ''] = url.split('?');
  const query = rawQuery
    .split('&')
    .filter(Boolean)
    .map((pair) => pair.split('=').map(decodeURIComponent) as [string, string?])
    .map(([name, value = '']) => ({ name, value }));
  const inQuery = (name: string): string | undefined => query.find((one) => one.name === name)?.value;
  const signedByQuery = inQuery('X-Amz-Signature');
  const said = /Credential=(?<credential>[^,]+), *SignedHeaders=(?<names>[^,]+), *Signature=(?<signature>\w+)/.exec(
    headers.authorization ?? '',
  )?.groups;
  const credential = inQuery('X-Amz-Credential') ?? said?.['credential'];
  const names = inQuery('X-Amz-SignedHeaders') ?? said?.['names'];
  const signature = signedByQuery ?? said?.['signature'];
  if (credential === undefined || names === undefined || signature === undefined) return 'AccessDenied';
  const [id, day, region, service, end] = credential.split('/') as [string, string, string, string, string];
  if (id !== accessKeyId) return 'InvalidAccessKeyId';
  const time = inQuery('X-Amz-Date') ?? String(headers['x-amz-date']);
  const content = signedByQuery === undefined ? String(headers['x-amz-content-sha256']) : 'UNSIGNED-PAYLOAD';
  if (/^[0-9a-f]{64}$/.test(content) && content !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const canonical = [
    method,
    rawPath
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query
      .filter(({ name }) => name !== 'X-Amz-Signature')
      .map(({ name, value }) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    content,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, [day, region, service, end].join('/'), sha256(canonical)].join('\n');
  const key = [region, service, end].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day));
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
};
