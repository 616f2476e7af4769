const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DIGITS = /^\d+$/;
const HEX_TOKEN = /^[0-9a-f]{16,}$/i;
const MIXED_TOKEN = /^(?=.*[a-z])(?=.*\d)[a-z\d]{20,}$/i;

/** What may be stored of a URL: query, fragment and credentials carry secrets. */
export const withoutSecrets = (url: string): string =>
  withoutQuery(url).replace(/^([a-z][a-z\d+.-]*:\/\/)[^/@]*@/i, '$1');

const withoutQuery = (url: string): string => {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
};

/**
 * The path of a request with what varies between requests replaced, so that requests of one endpoint group together.
 * A text that is no URL stays as it is, without its query.
 */
export const normaliseRoute = (url: string): string => {
  const path = URL.parse(url)?.pathname;
  return path === undefined ? withoutQuery(url) : path.split('/').map(normaliseSegment).join('/');
};

const normaliseSegment = (segment: string): string => {
  if (UUID.test(segment)) return ':uuid';
  if (DIGITS.test(segment)) return ':id';
  if (HEX_TOKEN.test(segment) || MIXED_TOKEN.test(segment)) return ':hash';
  return segment;
};

const STATIC_TYPES = new Set(['image', 'font', 'stylesheet', 'style', 'script']);
const STATIC_FILE = /\.(?:avif|bmp|css|eot|gif|ico|jpe?g|m?js|otf|png|svg|ttf|webp|woff2?)$/i;

/** Images, fonts, styles and scripts; by the file name when the request does not say what it is. */
export const isStaticResource = (resourceType: string | null | undefined, url: string): boolean =>
  resourceType ? STATIC_TYPES.has(resourceType.toLowerCase()) : STATIC_FILE.test(withoutQuery(url));
