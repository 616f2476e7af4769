const VIEWER = '/trace-viewer/';
const STORED_FILES = '/api/files/';

/** What the `trace` parameters of a request to the viewer ask for. */
export type TraceQuery =
  | { readonly kind: 'none' }
  | { readonly kind: 'stored'; readonly path: string; readonly canonical: boolean }
  | { readonly kind: 'foreign'; readonly value: string };

/** The link that opens a stored trace, named by its path on this server, in the viewer. */
export const traceViewerUrl = (path: string): string => `${VIEWER}?trace=${inQuery(path)}`;

/**
 * Only a path of ours is ever opened: the viewer runs on the origin of the session and follows what it is given.
 * The viewer shows the first of several traces, but none of them may be foreign.
 */
export const readTraceQuery = (query: string, host: string): TraceQuery => {
  const values = new URLSearchParams(query).getAll('trace').filter((value) => value !== '');
  const paths = values.map((value) => storedTracePath(value, host));
  const foreign = paths.indexOf(null);
  if (foreign !== -1) return { kind: 'foreign', value: values[foreign]! };
  const path = paths[0];
  if (path === undefined || path === null) return { kind: 'none' };
  return { kind: 'stored', path, canonical: values.length === 1 && values[0] === path };
};

/**
 * The path of a stored trace, strictly encoded, so that nothing in it means anything to a shell or in a URL; null for
 * everything that is not a plain path to a `.zip` of ours.
 */
export const storedTracePath = (value: string, host: string): string | null => {
  const path = pathOnHost(value, host);
  if (path === null || !path.startsWith(STORED_FILES) || /[?#]/.test(path)) return null;
  const segments = path.slice(1).split('/').map(decodeSegment);
  if (segments.some((segment) => segment === null)) return null;
  const encoded = `/${segments.map((segment) => encodeStrictly(segment!)).join('/')}`;
  return encoded.toLowerCase().endsWith('.zip') ? encoded : null;
};

/**
 * Where to send a request for a page of the viewer that Playwright copies into its HTML reports: that copy cannot run
 * in the sandbox of a report, and ours opens newer traces. Null when the request is for anything else.
 *
 * `baseUrlPath` is the path of the report's folder on this server, `reportFilePath` the file's path inside of it.
 */
export const viewerRedirect = (reportFilePath: string, query: string, baseUrlPath: string): string | null => {
  const folder = /^(?<folder>(?:.*\/)?)trace\/(?:[^/]+\.html?)?$/i.exec(reportFilePath)?.groups?.['folder'];
  const trace = new URLSearchParams(query).get('trace');
  if (folder === undefined || !trace) return null;
  const reportFolder = `${baseUrlPath.replace(/\/$/, '')}/${folder.split('/').map(encodeStrictly).join('/')}`;
  return traceViewerUrl(traceInReport(trace, reportFolder) ?? trace);
};

/**
 * The report names its trace by a URL made from its own address. Of that only the path counts: behind a proxy the
 * service does not know its own origin, and a path inside of the report can only be a file of the report.
 */
const traceInReport = (trace: string, reportFolder: string): string | null => {
  const url = URL.parse(trace, `http://report.invalid${reportFolder}trace/`);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const path = storedTracePath(url.pathname, 'report.invalid');
  return path?.startsWith(reportFolder) ? path : null;
};

const pathOnHost = (value: string, host: string): string | null => {
  if (/^\/(?!\/)/.test(value)) return value;
  const parts = /^https?:\/\/(?<authority>[^/\\?#@]+)(?<path>\/.*)$/is.exec(value)?.groups;
  return parts && parts['authority']!.toLowerCase() === host.toLowerCase() ? parts['path']! : null;
};

/** The text of a segment of a path, or null when it is no plain name. */
const decodeSegment = (segment: string): string | null => {
  try {
    const text = decodeURIComponent(segment);
    return text === '' || text === '.' || text === '..' || /[/\\\p{Cc}]/u.test(text) ? null : text;
  } catch {
    return null;
  }
};

const encodeStrictly = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const inQuery = (value: string): string => encodeStrictly(value).replaceAll('%2F', '/');
