/** Where a bucket is and who may use it. */
export interface S3Location {
  readonly bucket: string;
  /** What all keys begin with: empty, or ending in a slash. */
  readonly prefix: string;
  /** Of a server that is not Amazon's; its buckets are addressed by path. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Null for what the machine has: its role, or a profile. */
  readonly credentials: S3Credentials | null;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const PARAMETERS = new Set(['endpoint', 'region']);

/** Reads `s3://bucket/prefix?endpoint=…&region=…`; null for anything else. */
export const readS3Url = (
  given: string,
): (Pick<S3Location, 'bucket' | 'prefix' | 'endpoint'> & { region?: string }) | null => {
  const url = URL.parse(given);
  if (url === null || url.protocol !== 's3:' || !/^[A-Za-z0-9][\w.-]+$/.test(url.hostname)) return null;
  if (url.username || url.password || url.port || url.hash) return null;
  const { searchParams } = url;
  if ([...searchParams.keys()].some((name) => !PARAMETERS.has(name))) return null;
  const endpoint = searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return null;
  const path = decode(url.pathname)?.split('/').filter(Boolean).join('/');
  if (path === undefined) return null;
  const region = searchParams.get('region');
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    endpoint,
    ...(region ? { region } : {}),
  };
};

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** As the operator wrote it, without what is secret. */
export const nameOfS3 = ({ bucket, prefix }: S3Location): string => `s3://${bucket}/${prefix}`;
