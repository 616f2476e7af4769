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
  /** The address of the server for clients, which may then read large files from there themselves; null for none. */
  readonly redirectTo: string | null;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const PARAMETERS = new Set(['endpoint', 'region', 'redirect']);

/** Reads `s3://bucket/prefix?endpoint=…&region=…&redirect=…`; null for anything else. */
export const readS3Url = (
  given: string,
): (Pick<S3Location, 'bucket' | 'prefix' | 'endpoint'> & { region?: string; redirect?: string }) | null => {
  const url = URL.parse(given);
  if (url === null || url.protocol !== 's3:' || !/^[A-Za-z0-9][\w.-]+$/.test(url.hostname)) return null;
  if (url.username || url.password || url.port || url.hash) return null;
  const { searchParams } = url;
  if ([...searchParams.keys()].some((name) => !PARAMETERS.has(name))) return null;
  const endpoint = searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return null;
  const redirect = searchParams.get('redirect');
  if (redirect !== null && redirect !== 'true' && originOf(redirect) === null) return null;
  const path = decode(url.pathname)?.split('/').filter(Boolean).join('/');
  if (path === undefined) return null;
  const region = searchParams.get('region');
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    endpoint,
    ...(region ? { region } : {}),
    ...(redirect ? { redirect } : {}),
  };
};

/** Where clients read large files from; `true` is where the service does. */
export const redirectOf = (redirect: string | undefined, endpoint: string | null, region: string): string | null => {
  if (redirect === undefined) return null;
  return originOf(redirect === 'true' ? (endpoint ?? `https://s3.${region}.amazonaws.com`) : redirect);
};

const originOf = (address: string): string | null => {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href ? url.origin : null;
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
