import { inlineScriptHashes } from '../../http/html.ts';

type Directives = Readonly<Record<string, string>>;

const policy = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`.trim())
    .join('; ');

const NOTHING: Directives = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
};

/** Its React components set styles on elements; its previews are data and blob URLs. */
const viewerPolicy = (page: string): string =>
  policy({
    ...NOTHING,
    'script-src': ["'self'", ...inlineScriptHashes(page)].join(' '),
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'media-src': "'self' data: blob:",
    'font-src': "'self' data:",
    'connect-src': "'self'",
    'frame-src': "'self' data:",
    'worker-src': "'self'",
    'manifest-src': "'self'",
  });

/** A worker has the policy of its own response: this one can fetch from nowhere but here, whatever it is asked for. */
const WORKER_POLICY = policy({ ...NOTHING, 'script-src': "'self'", 'connect-src': "'self'" });

/** The policy of one file of the viewer. */
export const policyOf = (type: string, bytes: Buffer): string => {
  if (type.startsWith('text/html')) return viewerPolicy(bytes.toString());
  return type.startsWith('text/javascript') ? WORKER_POLICY : `${policy(NOTHING)}; sandbox`;
};

/** The policy of our own pages around the viewer: one inline style sheet, and the inline scripts they hold. */
export const pagePolicy = (page: string): string =>
  policy({
    ...NOTHING,
    'script-src': inlineScriptHashes(page).join(' ') || "'none'",
    'style-src': "'unsafe-inline'",
  });
